import {
  IconFileDescription,
  IconHistory,
  IconLayoutDashboard,
  IconListDetails,
  IconMessages,
  IconReceipt,
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
  /** Shows the number of unread messages. */
  showsUnreadCount?: boolean;
  /** Stands below the item before it, and shows how many reported payments wait for a check. */
  showsInboundCount?: boolean;
};

/** The items of the admin menu, in order (docs/requirements.md R-UI-6). */
export const adminMenuItems: readonly MenuItem[] = [
  { to: paths.adminDashboard, label: 'Dashboard', Icon: IconLayoutDashboard },
  { to: paths.adminUsers, label: 'Kelola Users', Icon: IconUsers },
  { to: paths.adminRecords, label: 'Data Pajak', Icon: IconFileDescription },
  { to: paths.adminInbound, label: 'Bukti masuk', Icon: IconReceipt, showsInboundCount: true },
  { to: paths.adminDhkp, label: 'Daftar objek (DHKP)', Icon: IconListDetails },
  { to: paths.adminReports, label: 'Laporan', Icon: IconReportAnalytics },
  { to: paths.adminAudit, label: 'Riwayat Perubahan', Icon: IconHistory },
  { to: paths.adminChat, label: 'Chat', Icon: IconMessages, showsUnreadCount: true },
  { to: paths.adminSettings, label: 'Pengaturan', Icon: IconSettings },
];
