import { Button, NativeSelect, Paper } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/form/date-field.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { addDays } from '#shared/domain/dates/dates.ts';
import { auditActionLabels } from './action-labels.ts';
import { type AuditFilter, noAuditFilter, toActionFilter } from './use-audit-params.ts';
import classes from './audit.module.css';

const actionOptions = [
  { value: '', label: 'Semua' },
  ...Object.entries(auditActionLabels).map(([value, label]) => ({ value, label })),
];

/** The days, counted back from today, at which a range begins and ends. */
const quickRanges = [
  { label: 'Hari ini', firstDaysAgo: 0, lastDaysAgo: 0 },
  { label: 'Kemarin', firstDaysAgo: 1, lastDaysAgo: 1 },
  { label: '7 hari', firstDaysAgo: 6, lastDaysAgo: 0 },
];

type Props = {
  filter: AuditFilter;
  onChange: (part: Partial<AuditFilter>, options?: { replace?: boolean }) => void;
};

/** Search and filters of the audit, in one line on wide screens. */
export function AuditToolbar({ filter, onChange }: Props) {
  const currentDate = today();
  const isFiltered = Object.values(filter).some((value) => value !== '');
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
      <NativeSelect
        label="Tindakan"
        data={actionOptions}
        value={filter.action}
        onChange={(event) => onChange({ action: toActionFilter(event.currentTarget.value) })}
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
      {isFiltered ? (
        <Button
          variant="subtle"
          color="gray"
          px="sm"
          leftSection={<IconFilterOff size={18} aria-hidden />}
          aria-label="Bersihkan filter (Clear)"
          onClick={() => onChange(noAuditFilter)}
        >
          Bersihkan
        </Button>
      ) : null}
    </Paper>
  );
}
