import { Button, NativeSelect, Paper } from '@mantine/core';
import { IconChevronDown, IconFilter, IconFilterOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { adminStatisticsQuery } from '../../display/admin-statistics.ts';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import type { RecordFilter } from '../api.ts';
import { asSort, isNarrowed, sortLabels } from '../list-url.ts';
import classes from './list-toolbar.module.css';

const ALL = { value: '', label: 'Semua' };
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const statusOptions = [ALL, ...optionsOf(statusLabels)];
const propertyOptions = [ALL, ...optionsOf(propertyTypeLabels)];
const sortOptions = optionsOf(sortLabels);
const usualYears = Array.from({ length: YEAR_MAX - YEAR_MIN + 1 }, (_, index) => YEAR_MAX - index);

type Props = {
  filter: RecordFilter;
  onChange: (part: Partial<RecordFilter>, options?: { replace?: boolean }) => void;
  onClear: () => void;
};

/** What narrows the list, and its order. */
function Fields({ filter, onChange }: Omit<Props, 'onClear'>) {
  const figures = useQuery(adminStatisticsQuery).data;
  // Years that have records; whatever the figures say, also the one that is chosen.
  const known = figures ? figures.by_year.map(({ year }) => year) : usualYears;
  const years = new Set([...known.map(String), ...(filter.year ? [filter.year] : [])]);
  const yearOptions = [ALL, ...[...years].toSorted((a, b) => Number(b) - Number(a))];
  return (
    <>
      <div className={classes['owner']}>
        <UserPicker
          label="Pemilik"
          placeholder="Semua user"
          clearable
          value={filter.user_id}
          onChange={(user) => onChange({ user_id: user?.id ?? '' })}
        />
      </div>
      <NativeSelect
        label="Status"
        data={statusOptions}
        value={filter.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
      />
      <NativeSelect
        label="Jenis Properti"
        data={propertyOptions}
        value={filter.property_type}
        onChange={(event) => onChange({ property_type: event.currentTarget.value })}
      />
      <NativeSelect
        label="Tahun"
        data={yearOptions}
        value={filter.year}
        onChange={(event) => onChange({ year: event.currentTarget.value })}
      />
      <NativeSelect
        label="Urutkan"
        data={sortOptions}
        value={filter.sort}
        onChange={(event) => onChange({ sort: asSort(event.currentTarget.value) })}
      />
    </>
  );
}

/** Search, filters and order of the list; each takes effect at once, on the server. */
export function ListToolbar({ filter, onChange, onClear }: Props) {
  // On a phone six fields would push the list out of sight.
  const wide = useWideScreen('48em');
  const [opened, setOpened] = useState(false);
  const { status, property_type, year, user_id } = filter;
  const active = [status, property_type, year, user_id].filter((value) => value !== '').length;

  return (
    <Paper
      component="section"
      aria-label="Saring data"
      withBorder
      p="md"
      mb="md"
      className={`no-print ${classes['bar']}`}
    >
      <div className={classes['search']}>
        <SearchField
          label="Cari"
          placeholder="Nama, alamat, nomor SPT, pemilik"
          value={filter.search}
          onSearch={(search) => onChange({ search }, { replace: filter.search !== '' })}
        />
      </div>
      {wide ? null : (
        <Button
          variant="default"
          className={classes['more'] ?? ''}
          leftSection={<IconFilter size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden className={classes['chevron'] ?? ''} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          Filter{active > 0 ? ` (${active})` : ''}
        </Button>
      )}
      {wide || opened ? <Fields filter={filter} onChange={onChange} /> : null}
      {isNarrowed(filter) ? (
        <Button
          variant="subtle"
          color="gray"
          px="sm"
          className={classes['clear'] ?? ''}
          leftSection={<IconFilterOff size={18} aria-hidden />}
          aria-label="Bersihkan filter (Clear)"
          onClick={onClear}
        >
          Bersihkan
        </Button>
      ) : null}
    </Paper>
  );
}
