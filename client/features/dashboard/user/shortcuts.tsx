import { Box } from '@mantine/core';
import { IconFilePlus, IconListDetails, IconReportAnalytics } from '@tabler/icons-react';
import { paths } from '#client/paths.ts';
import { LinkCard } from '../link-card.tsx';
import classes from './dashboard.module.css';

const shortcuts = [
  { to: paths.recordCreate, title: 'Tambah Data PBB', text: 'Catat tagihan dan bukti bayar', icon: IconFilePlus },
  { to: paths.records, title: 'Lihat Data PBB', text: 'Semua catatan Anda', icon: IconListDetails },
  { to: paths.reports, title: 'Laporan', text: 'Ringkasan untuk dicetak', icon: IconReportAnalytics },
] as const;

/** The three shortcuts (R-STAT-5). */
export function Shortcuts() {
  return (
    <Box component="nav" aria-label="Pintasan" className={classes['shortcuts']}>
      <div className={classes['shortcutRow']}>
        {shortcuts.map((shortcut) => (
          <LinkCard key={shortcut.to} {...shortcut} size="large" />
        ))}
      </div>
    </Box>
  );
}
