import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';

type Props = {
  title: string;
  /** Advice for the user, such as `hintOf(error)`. */
  description?: string | undefined;
  onRetry?: () => void;
  retrying?: boolean;
};

/** Shown in place of data that could not be loaded. */
export function ErrorState({ title, description, onRetry, retrying = false }: Props) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" role="alert">
      <ThemeIcon size={56} radius="xl" variant="light" color="red" aria-hidden>
        <IconCloudOff size={28} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} fz="lg">
        {title}
      </Text>
      {description ? (
        <Text c="dimmed" maw={420}>
          {description}
        </Text>
      ) : null}
      {onRetry ? (
        <Button
          mt="xs"
          variant="light"
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={onRetry}
          loading={retrying}
        >
          Coba lagi
        </Button>
      ) : null}
    </Stack>
  );
}
