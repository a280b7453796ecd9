import { Box } from '@mantine/core';
import { IconFileDescription, IconReportAnalytics, IconSettings, IconUsers } from '@tabler/icons-react';
import { paths } from '#client/paths.ts';
import { LinkCard } from '../link-card.tsx';
import classes from './dashboard.module.css';

const actions = [
  { to: paths.adminUsers, title: 'Kelola Users', text: 'Akun dan hak akses', icon: IconUsers },
  { to: paths.adminRecords, title: 'Data Pajak', text: 'Data PBB semua warga', icon: IconFileDescription },
  { to: paths.adminReports, title: 'Laporan', text: 'Sebaran dan total', icon: IconReportAnalytics },
  { to: paths.adminSettings, title: 'Pengaturan', text: 'Notifikasi dan sistem', icon: IconSettings },
] as const;

/** The four quick actions (R-STAT-7). */
export function QuickActions() {
  return (
    <Box component="nav" aria-label="Aksi cepat" className={`${classes['actions']} no-print`}>
      {actions.map((action) => (
        <LinkCard key={action.to} {...action} size="small" />
      ))}
    </Box>
  );
}
