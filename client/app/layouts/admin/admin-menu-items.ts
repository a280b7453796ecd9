import {
  IconFileDescription,
  IconHistory,
  IconLayoutDashboard,
  IconMessages,
  IconReportAnalytics,
  IconSettings,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { paths } from '#client/paths.ts';

type MenuItem = {
  to: string;
  label: string;
  Icon: TablerIcon;
  /** Shows how many messages wait for the office. */
  showsUnreadCount?: boolean;
};

/** The administrator's menu in its order; a screen enters it together with its route. */
export const adminMenuItems: readonly MenuItem[] = [
  { to: paths.adminDashboard, label: 'Dashboard', Icon: IconLayoutDashboard },
  { to: paths.adminUsers, label: 'Kelola Users', Icon: IconUsers },
  { to: paths.adminRecords, label: 'Data Pajak', Icon: IconFileDescription },
  { to: paths.adminReports, label: 'Laporan', Icon: IconReportAnalytics },
  { to: paths.adminAudit, label: 'Riwayat Perubahan', Icon: IconHistory },
  { to: paths.adminChat, label: 'Chat', Icon: IconMessages, showsUnreadCount: true },
  { to: paths.adminSettings, label: 'Pengaturan', Icon: IconSettings },
];
