import { Group, Paper, Skeleton, Text, ThemeIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './stat-card.module.css';

type Props = {
  label: string;
  value: ReactNode;
  /** A line below, such as a count. */
  hint?: ReactNode;
  icon?: TablerIcon;
  color?: 'laut' | 'green' | 'red' | 'yellow' | 'gray';
  /** Shows a skeleton of the same height, so that the page does not jump when the number is loaded. */
  loading?: boolean;
};

/** One number with its name. */
export function StatCard({ label, value, hint, icon: Icon, color = 'laut', loading = false }: Props) {
  return (
    <Paper className={classes['card']} p="md" withBorder aria-busy={loading}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Text c="dimmed" fz="sm" fw={500} className={classes['label'] ?? ''}>
          {label}
        </Text>
        {Icon ? (
          <ThemeIcon size={34} variant="light" color={color} aria-hidden>
            <Icon size={19} />
          </ThemeIcon>
        ) : null}
      </Group>
      {loading ? (
        <Skeleton height={24} width="7rem" maw="100%" my={4} />
      ) : (
        <div className={`${classes['value']} tabular`}>{value}</div>
      )}
      {hint !== undefined && loading ? <Skeleton height={14} width="5rem" maw="100%" my={3} /> : null}
      {hint !== undefined && !loading ? (
        <Text c="dimmed" fz="sm">
          {hint}
        </Text>
      ) : null}
    </Paper>
  );
}
