import { Stack, Text, ThemeIcon } from '@mantine/core';
import { IconInbox, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = { title: string; description?: ReactNode; icon?: TablerIcon; action?: ReactNode };

/** Shown in place of an empty list, with what the user can do. */
export function EmptyState({ title, description, icon: Icon = IconInbox, action }: Props) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <Icon size={28} stroke={1.6} />
      </ThemeIcon>
      <Text fw={600} fz="lg">
        {title}
      </Text>
      {description ? (
        <Text c="dimmed" maw={420}>
          {description}
        </Text>
      ) : null}
      {action ? <div className="no-print">{action}</div> : null}
    </Stack>
  );
}
