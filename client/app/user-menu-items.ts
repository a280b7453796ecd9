import { IconFileDescription, IconFilePlus, IconLayoutDashboard, IconReportAnalytics } from '@tabler/icons-react';
import { paths } from '#client/paths.ts';

/** The items of the users' menu, in order (docs/requirements.md R-UI-5). */
export const userMenuItems = [
  { to: paths.dashboard, label: 'Dashboard', Icon: IconLayoutDashboard },
  { to: paths.records, label: 'Data Pajak', Icon: IconFileDescription },
  { to: paths.recordCreate, label: 'Tambah Pajak', Icon: IconFilePlus },
  { to: paths.reports, label: 'Laporan', Icon: IconReportAnalytics },
] as const;
