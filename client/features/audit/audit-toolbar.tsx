import { Button, Paper } from '@mantine/core';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { choicesOf, ClearFilterButton, FilterSelect } from '#client/ui/list/filter/filter-fields.tsx';
import type { FilterChange } from '#client/ui/list/filter/url-filter.ts';
import { addDays } from '#shared/domain/dates/dates.ts';
import { type AuditFilter, auditActionLabels } from './audit-filter.ts';
import classes from './audit.module.css';

/** The days, counted back from today, at which a range begins and ends. */
const quickRanges = [
  { label: 'Hari ini', firstDaysAgo: 0, lastDaysAgo: 0 },
  { label: 'Kemarin', firstDaysAgo: 1, lastDaysAgo: 1 },
  { label: '7 hari', firstDaysAgo: 6, lastDaysAgo: 0 },
];

type Props = {
  filter: AuditFilter;
  onChange: FilterChange<AuditFilter>;
  /** Left out while nothing is filtered. */
  onClear: (() => void) | undefined;
};

/** Search and filters of the audit, in one line on wide screens. */
export function AuditToolbar({ filter, onChange, onClear }: Props) {
  const currentDate = today();
  return (
    <Paper
      component="section"
      aria-label="Saring riwayat"
      withBorder
      p="sm"
      mb="sm"
      className={`no-print ${classes['bar']}`}
    >
      <SearchField
        label="Cari"
        placeholder="Nama, nomor SPT, atau pelaku"
        value={filter.search}
        onSearch={(search) => onChange({ search }, { replace: filter.search !== '' })}
      />
      <FilterSelect
        label="Tindakan"
        choices={choicesOf(auditActionLabels)}
        value={filter.action}
        onChange={(action) => onChange({ action })}
      />
      <UserPicker
        label="Dilakukan oleh"
        placeholder="Semua orang"
        clearable
        value={filter.actor_id}
        onChange={(user) => onChange({ actor_id: user?.id ?? '' })}
      />
      <DateField
        label="Dari tanggal"
        example={null}
        value={filter.from || null}
        onChange={(from) => onChange({ from: from ?? '' })}
      />
      <DateField
        label="Sampai tanggal"
        example={null}
        value={filter.to || null}
        onChange={(to) => onChange({ to: to ?? '' })}
      />
      <fieldset className={classes['ranges']} aria-label="Rentang tanggal">
        {quickRanges.map(({ label, firstDaysAgo, lastDaysAgo }) => {
          const range = { from: addDays(currentDate, -firstDaysAgo), to: addDays(currentDate, -lastDaysAgo) };
          const isChosen = filter.from === range.from && filter.to === range.to;
          return (
            <Button
              key={label}
              variant={isChosen ? 'light' : 'default'}
              px="sm"
              aria-pressed={isChosen}
              onClick={() => onChange(isChosen ? { from: '', to: '' } : range)}
            >
              {label}
            </Button>
          );
        })}
      </fieldset>
      {onClear ? <ClearFilterButton onClear={onClear} /> : null}
    </Paper>
  );
}
