import { IconShieldLock, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { StatCard } from '#client/ui/data/stat-card.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { userCountsQuery } from '../api.ts';
import classes from './user-list.module.css';

const counters = [
  { name: 'all', label: 'Total Pengguna', icon: IconUsers, color: 'laut' },
  { name: 'active', label: 'Pengguna Aktif', icon: IconUserCheck, color: 'green' },
  { name: 'admins', label: 'Admin', icon: IconShieldLock, color: 'gray' },
] as const;

/** Counts all accounts, whatever the filter is. */
export function UserCounters() {
  const { data, isPending } = useQuery(userCountsQuery);
  return (
    <section className={classes['counters']} aria-label="Jumlah pengguna">
      {counters.map(({ name, label, icon, color }) => (
        <div key={name}>
          <StatCard
            label={label}
            value={data ? formatNumber(data[name]) : '–'}
            icon={icon}
            color={color}
            loading={isPending}
          />
        </div>
      ))}
    </section>
  );
}
