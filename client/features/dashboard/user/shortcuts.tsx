import { Paper } from '@mantine/core';
import { IconFilePlus, IconListDetails, IconReportAnalytics } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import classes from './shortcuts.module.css';

const shortcuts = [
  { to: paths.recordCreate, title: 'Tambah Data PBB', Icon: IconFilePlus },
  { to: paths.records, title: 'Lihat Data PBB', Icon: IconListDetails },
  { to: paths.reports, title: 'Laporan', Icon: IconReportAnalytics },
] as const;

/** The three shortcuts (R-STAT-5). They repeat the menu, so they are slim. */
export function Shortcuts() {
  return (
    <nav aria-label="Pintasan" className={classes['shortcuts']}>
      {shortcuts.map(({ to, title, Icon }) => (
        <Paper key={to} component={Link} to={to} withBorder className={classes['shortcut']}>
          <Icon size={22} className={classes['icon'] ?? ''} aria-hidden />
          <span>{title}</span>
        </Paper>
      ))}
    </nav>
  );
}
