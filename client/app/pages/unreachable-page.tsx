import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { useRef } from 'react';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';

/** In place of a page whose code could not be loaded; the menu around it stays. */
export function UnreachablePage({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  usePageTitle('Halaman belum dapat dibuka');
  return (
    <Stack align="center" justify="center" gap="xs" mih="60vh" p="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="red" aria-hidden>
        <IconCloudOff size={28} stroke={1.6} />
      </ThemeIcon>
      <Title order={1} ref={heading} tabIndex={-1}>
        Halaman belum dapat dibuka
      </Title>
      <Text c="dimmed" maw={420}>
        Tidak ada sambungan ke server. Halaman ini dibuka sendiri begitu tersambung lagi.
      </Text>
      <Button
        mt="xs"
        variant="light"
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={onRetry}
        loading={busy}
      >
        Coba lagi
      </Button>
    </Stack>
  );
}
