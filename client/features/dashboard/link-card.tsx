import { Box, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { IconChevronRight, type TablerIcon } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import classes from './link-card.module.css';

const SIZES = {
  small: { gap: 'sm', boxPx: 40, iconPx: 22 },
  large: { gap: 'md', boxPx: 44, iconPx: 24 },
} as const;

type Props = { to: string; title: string; text: string; icon: TablerIcon; size: keyof typeof SIZES };

/** A card that links to another page. */
export function LinkCard({ to, title, text, icon: Icon, size }: Props) {
  const { gap, boxPx, iconPx } = SIZES[size];
  return (
    <Paper component={Link} to={to} withBorder p="md" className={classes['card']}>
      <Group wrap="nowrap" gap={gap}>
        <ThemeIcon size={boxPx} radius="md" variant="light" aria-hidden>
          <Icon size={iconPx} />
        </ThemeIcon>
        <Box flex={1} miw={0}>
          <Text fw={600}>{title}</Text>
          <Text c="dimmed" fz="sm">
            {text}
          </Text>
        </Box>
        <IconChevronRight size={20} className={classes['chevron']} aria-hidden />
      </Group>
    </Paper>
  );
}
