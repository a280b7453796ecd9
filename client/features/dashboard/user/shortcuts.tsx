import { Box, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { IconChevronRight, IconFilePlus, IconListDetails, IconReportAnalytics } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import classes from './dashboard.module.css';

const shortcuts = [
  { to: paths.recordCreate, title: 'Tambah Data PBB', text: 'Catat tagihan dan bukti bayar', Icon: IconFilePlus },
  { to: paths.records, title: 'Lihat Data PBB', text: 'Semua catatan Anda', Icon: IconListDetails },
  { to: paths.reports, title: 'Laporan', text: 'Ringkasan untuk dicetak', Icon: IconReportAnalytics },
] as const;

/** The three ways on from the dashboard (specification 2.3). */
export function Shortcuts() {
  return (
    <Box component="nav" aria-label="Pintasan" className={classes['shortcuts']}>
      {shortcuts.map(({ to, title, text, Icon }) => (
        <Paper key={to} component={Link} to={to} withBorder p="md" className={classes['shortcut']}>
          <Group wrap="nowrap" gap="md">
            <ThemeIcon size={44} radius="md" variant="light" aria-hidden>
              <Icon size={24} />
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
      ))}
    </Box>
  );
}
