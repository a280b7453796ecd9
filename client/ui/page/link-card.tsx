import { Box, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { IconChevronRight, type TablerIcon } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import classes from './link-card.module.css';

type Props = { to: string; title: string; text: string; icon: TablerIcon };

/** A card that links to another page. */
export function LinkCard({ to, title, text, icon: Icon }: Props) {
  return (
    <Paper component={Link} to={to} withBorder p="md" h="100%" className={classes['card']}>
      <Group wrap="nowrap" gap="sm">
        <ThemeIcon size={40} radius="md" variant="light" aria-hidden>
          <Icon size={22} />
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
