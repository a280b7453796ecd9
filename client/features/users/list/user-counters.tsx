import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '#client/lib/format.ts';
import { type UserFilter, userCountsQuery } from '../api.ts';
import classes from './user-list.module.css';

const counters = [
  { name: 'all', label: 'Total Pengguna', role: '', status: '' },
  { name: 'active', label: 'Pengguna Aktif', role: '', status: 'aktif' },
  { name: 'inactive', label: 'Nonaktif', role: '', status: 'nonaktif' },
  { name: 'admins', label: 'Admin', role: 'admin', status: '' },
] as const;

type Props = { filter: UserFilter; onChange: (change: Partial<UserFilter>) => void };

/** Counts all accounts, whatever the filter is. Each counter shows the accounts that it counts. */
export function UserCounters({ filter, onChange }: Props) {
  const { data } = useQuery(userCountsQuery);
  return (
    <section className={classes['counters']} aria-label="Jumlah pengguna">
      {counters.map(({ name, label, role, status }) => (
        <UnstyledButton
          key={name}
          className={classes['counter'] ?? ''}
          aria-pressed={filter.role === role && filter.status === status}
          onClick={() => onChange({ role, status })}
        >
          <span>{label}</span>{' '}
          <span className={`${classes['count']} tabular`}>{data ? formatNumber(data[name]) : '–'}</span>
        </UnstyledButton>
      ))}
    </section>
  );
}
