import { Box, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import {
  IconChevronRight,
  IconFileDescription,
  IconReportAnalytics,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import classes from './dashboard.module.css';

const actions = [
  { to: paths.adminUsers, title: 'Kelola Users', text: 'Akun dan hak akses', Icon: IconUsers },
  { to: paths.adminRecords, title: 'Data Pajak', text: 'Semua catatan warga', Icon: IconFileDescription },
  { to: paths.adminReports, title: 'Laporan', text: 'Sebaran dan total', Icon: IconReportAnalytics },
  { to: paths.adminSettings, title: 'Pengaturan', text: 'Notifikasi dan sistem', Icon: IconSettings },
] as const;

/** The four ways on from the dashboard (specification 2.4). */
export function QuickActions() {
  return (
    <Box component="nav" aria-label="Aksi cepat" className={`${classes['actions']} no-print`}>
      {actions.map(({ to, title, text, Icon }) => (
        <Paper key={to} component={Link} to={to} withBorder p="md" className={classes['action']}>
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
      ))}
    </Box>
  );
}
