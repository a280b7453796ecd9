import { NativeSelect } from '@mantine/core';
import type { Density } from '#client/ui/data/density.ts';
import { DensityToggle } from '#client/ui/data/density-toggle.tsx';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import { UserCounters } from './user-counters.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import type { UserFilter } from '../api.ts';
import { toRoleFilter, toStatusFilter } from './use-user-list-params.ts';
import classes from './user-list.module.css';

const roles = [
  { value: '', label: 'Semua peran' },
  { value: 'admin', label: 'Admin' },
  { value: 'user', label: 'User' },
];
const statuses = [
  { value: '', label: 'Semua status' },
  { value: 'aktif', label: 'Aktif' },
  { value: 'nonaktif', label: 'Nonaktif' },
];

type Props = {
  filter: UserFilter;
  onChange: (change: Partial<UserFilter>, options?: { replace?: boolean }) => void;
  density: { density: Density; choose: (density: Density) => void };
};

/** One line of tools: search, counters that filter, filters, and how close the rows stand. */
export function UserToolbar({ filter, onChange, density }: Props) {
  const isWide = useWideScreen(75);
  return (
    <section className={`no-print ${classes['tools']}`} aria-label="Saring pengguna">
      <div className={classes['search']}>
        <SearchField
          label="Cari"
          hideLabel
          placeholder="Nama atau email"
          value={filter.search}
          // Replaces the address, so that going back skips the letters of the search.
          onSearch={(search) => onChange({ search }, { replace: true })}
        />
      </div>
      <UserCounters filter={filter} onChange={onChange} />
      <NativeSelect
        className={classes['choice'] ?? ''}
        aria-label="Peran"
        data={roles}
        value={filter.role}
        onChange={(event) => onChange({ role: toRoleFilter(event.currentTarget.value) })}
      />
      <NativeSelect
        className={classes['choice'] ?? ''}
        aria-label="Status"
        data={statuses}
        value={filter.status}
        onChange={(event) => onChange({ status: toStatusFilter(event.currentTarget.value) })}
      />
      {isWide ? <DensityToggle density={density.density} onChange={density.choose} /> : null}
    </section>
  );
}
