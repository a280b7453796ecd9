import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { Brand } from '#client/ui/page/brand.tsx';

type Props = { icon: TablerIcon; title: string; text: string; action: ReactNode };

/** A whole page with one message and one action. */
export function MessagePage({ icon: Icon, title, text, action }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  return (
    <Stack component="main" id="konten" mih="100dvh" align="center" justify="center" gap="md" p="lg" ta="center">
      <Brand />
      <ThemeIcon size={88} radius={44} variant="light" mt="lg" aria-hidden>
        <Icon size={44} stroke={1.5} />
      </ThemeIcon>
      <Title order={1} ref={heading} tabIndex={-1}>
        {title}
      </Title>
      <Text c="dimmed" maw={460}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}
