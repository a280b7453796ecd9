import { SimpleGrid } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { adminStatisticsQuery } from '../../api.ts';
import { formatNumber } from '#client/lib/format.ts';
import classes from './status-counters.module.css';

/** The number of records in each status, over all users (R-REC-20). */
export function StatusCounters() {
  const { data, isPending } = useQuery(adminStatisticsQuery);
  // Counters without data show '–' and not 0 (R-REC-20).
  const count = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value));
  return (
    <SimpleGrid cols={3} spacing={{ base: 'xs', sm: 'sm' }} mb="md" className={`no-print ${classes['counters']}`}>
      <StatCard
        label="Belum Bayar"
        value={count(data?.belum_lunas)}
        icon={IconAlertCircle}
        color="red"
        loading={isPending}
      />
      <StatCard
        label="Sedang Diproses"
        value={count(data?.proses)}
        icon={IconClock}
        color="yellow"
        loading={isPending}
      />
      <StatCard label="Selesai" value={count(data?.lunas)} icon={IconCircleCheck} color="green" loading={isPending} />
    </SimpleGrid>
  );
}
