import { Button, Paper, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRef } from 'react';
import { formatNumber, showDate, today } from '#client/lib/format.ts';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import { useSession } from '#client/lib/session.ts';
import { statusLabels } from '#shared/labels.ts';
import type { DashboardStatistics } from './dashboard-statistics.ts';
import classes from './dashboard.module.css';

const counters = [
  { name: 'total_users', label: 'Total Users' },
  { name: 'total_records', label: 'Total Records' },
  { name: 'lunas', label: statusLabels.lunas },
  { name: 'belum_lunas', label: statusLabels.belum_lunas },
] as const;

type Props = { statistics: DashboardStatistics; loading: boolean; refreshing: boolean; onRefresh: () => void };

/** Greets the admin and shows the four counters (R-STAT-7). */
export function WelcomeBanner({ statistics, loading, refreshing, onRefresh }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const name = useSession()?.user?.name.trim() ?? '';
  return (
    <Paper component="header" withBorder px="lg" py="md" mb="md" className={classes['banner']}>
      <div className={classes['welcome']}>
        <div className={classes['words']}>
          <Title order={1} ref={heading} tabIndex={-1}>
            Selamat datang{name ? `, ${name}` : ''}
          </Title>
          <Text component="output" display="block">
            {loading ? 'Memuat Dashboard...' : `Keadaan kantor per ${showDate(today())}`}
          </Text>
        </div>
        <dl className={classes['counters']} aria-busy={loading}>
          {counters.map(({ name: field, label }) => (
            <div key={field}>
              <dt>{label}</dt>
              <dd className="tabular">{loading ? '–' : formatNumber(statistics[field])}</dd>
            </div>
          ))}
        </dl>
        <Button
          variant="default"
          className="no-print"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={refreshing}
          onClick={onRefresh}
        >
          Refresh
        </Button>
      </div>
    </Paper>
  );
}
