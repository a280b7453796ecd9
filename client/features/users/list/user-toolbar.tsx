import { useQuery } from '@tanstack/react-query';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { DensityToggle, type useDensity } from '#client/ui/list/rows/density.tsx';
import { FilterCounter } from '#client/ui/list/filter/filter-counter.tsx';
import type { FilterChange } from '#client/ui/list/filter/url-filter.ts';
import { type UserFilter, userCountsQuery } from '../api.ts';
import classes from './user-list.module.css';

const counters = [
  { name: 'all', label: 'Total Pengguna', role: '', status: '' },
  { name: 'active', label: 'Pengguna Aktif', role: '', status: 'aktif' },
  { name: 'inactive', label: 'Nonaktif', role: '', status: 'nonaktif' },
  { name: 'admins', label: 'Admin', role: 'admin', status: '' },
] as const;

type Props = {
  filter: UserFilter;
  onChange: FilterChange<UserFilter>;
  /** Null where there is no table. */
  density: ReturnType<typeof useDensity> | null;
};

/** One line of tools: search, counters of all accounts, each of which shows what it counts, and how close the rows stand. */
export function UserToolbar({ filter, onChange, density }: Props) {
  const { data: counts } = useQuery(userCountsQuery);
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
      <section className={classes['counters']} aria-label="Jumlah pengguna">
        {counters.map(({ name, label, role, status }) => (
          <FilterCounter
            key={name}
            label={label}
            value={counts?.[name]}
            pressed={filter.role === role && filter.status === status}
            onPress={() => onChange({ role, status })}
          />
        ))}
      </section>
      {density ? <DensityToggle {...density} /> : null}
    </section>
  );
}
