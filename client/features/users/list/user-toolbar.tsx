import type { Density } from '#client/ui/data/density.ts';
import { DensityToggle } from '#client/ui/data/density-toggle.tsx';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import { UserCounters } from './user-counters.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import type { UserFilter } from '../api.ts';
import classes from './user-list.module.css';

type Props = {
  filter: UserFilter;
  onChange: (change: Partial<UserFilter>, options?: { replace?: boolean }) => void;
  density: { density: Density; choose: (density: Density) => void };
};

/** One line of tools: search, counters that filter, and how close the rows stand. */
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
      {isWide ? <DensityToggle density={density.density} onChange={density.choose} /> : null}
    </section>
  );
}
