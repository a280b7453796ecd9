import { Button, NativeSelect, Paper } from '@mantine/core';
import { IconChevronDown, IconFilter, IconFilterOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { useWideScreen } from '#client/ui/page/use-wide-screen.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { type AdminRecordFilter, adminStatisticsQuery } from '../../api.ts';
import {
  ALL_OPTION,
  propertyTypeOptions,
  statusOptions,
  toOptions,
  toPropertyTypeFilter,
  toStatusFilter,
  toYearOptions,
} from '../../pages/list-filter.ts';
import { toSort, hasActiveFilter, sortLabels } from './use-list-params.ts';
import classes from './filter-toolbar.module.css';

const sortOptions = toOptions(sortLabels);
const defaultYears = Array.from({ length: YEAR_MAX - YEAR_MIN + 1 }, (_, index) => YEAR_MAX - index);

type Props = {
  filter: AdminRecordFilter;
  onChange: (part: Partial<AdminRecordFilter>, options?: { replace?: boolean }) => void;
  onClear: () => void;
};

/** The filters and the sort order. */
function FilterFields({ filter, onChange }: Omit<Props, 'onClear'>) {
  const statistics = useQuery(adminStatisticsQuery).data;
  // The years that have records, and all allowed years while the statistics are missing.
  const years = statistics ? statistics.by_year.map(({ year }) => year) : defaultYears;
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
        onChange={(event) => onChange({ status: toStatusFilter(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Jenis Properti"
        data={propertyTypeOptions}
        value={filter.property_type}
        onChange={(event) => onChange({ property_type: toPropertyTypeFilter(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Tahun"
        data={[ALL_OPTION, ...toYearOptions(years, filter.year)]}
        value={filter.year}
        onChange={(event) => onChange({ year: event.currentTarget.value })}
      />
      <NativeSelect
        label="Urutkan"
        data={sortOptions}
        value={filter.sort}
        onChange={(event) => onChange({ sort: toSort(event.currentTarget.value) })}
      />
    </>
  );
}

/** Search, filters and sort order of the list. A change takes effect at once, on the server. */
export function RecordFilterToolbar({ filter, onChange, onClear }: Props) {
  // On a phone six fields would push the list off the screen.
  const wide = useWideScreen(48);
  const [opened, setOpened] = useState(false);
  const { status, property_type, year, user_id } = filter;
  const activeCount = [status, property_type, year, user_id].filter((value) => value !== '').length;

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
          Filter{activeCount > 0 ? ` (${activeCount})` : ''}
        </Button>
      )}
      {wide || opened ? <FilterFields filter={filter} onChange={onChange} /> : null}
      {hasActiveFilter(filter) ? (
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
