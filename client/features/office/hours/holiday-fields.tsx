import { ActionIcon, Button, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { showDate, today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { HOLIDAY_NAME_MAX, HOLIDAYS_MAX } from '#shared/limits.ts';
import { type HolidayDraft, type HoursDraft, withNewHoliday } from './hours-draft.ts';
import classes from './office-hours.module.css';

type Props = { draft: HoursDraft; onChange: (draft: HoursDraft) => void };

/** The holidays to come, the next one first; those that have passed are folded. */
export function HolidayFields({ draft, onChange }: Props) {
  const { holidays, newHoliday } = draft;
  const [showsPast, setShowsPast] = useState(false);
  const past = holidays.filter(({ date }) => date < today()).toReversed();
  const coming = holidays.filter(({ date }) => date >= today());
  const isTwice = newHoliday.date !== null && holidays.some(({ date }) => date === newHoliday.date);
  const isFull = holidays.length >= HOLIDAYS_MAX;
  const rows = (list: readonly HolidayDraft[]) => (
    <ul className={classes['holidays']}>
      {list.map((holiday) => (
        <HolidayRow
          key={holiday.date}
          holiday={holiday}
          onName={(name) =>
            onChange({ ...draft, holidays: holidays.map((one) => (one === holiday ? { ...one, name } : one)) })
          }
          onRemove={() => onChange({ ...draft, holidays: holidays.filter((one) => one !== holiday) })}
        />
      ))}
    </ul>
  );
  return (
    <>
      {coming.length > 0 ? rows(coming) : <Text c="dimmed">Belum ada hari libur yang akan datang.</Text>}
      <div className={classes['newHoliday']}>
        <DateField
          label="Tanggal libur"
          example={`${Number(today().slice(0, 4)) + 1}-08-17`}
          value={newHoliday.date}
          onChange={(date) => onChange({ ...draft, newHoliday: { ...newHoliday, date } })}
          error={isTwice ? 'Tanggal ini sudah ada di daftar.' : undefined}
        />
        <TextInput
          label="Nama hari libur"
          placeholder="contoh: Hari Kemerdekaan"
          value={newHoliday.name}
          maxLength={HOLIDAY_NAME_MAX}
          onChange={(event) => onChange({ ...draft, newHoliday: { ...newHoliday, name: event.currentTarget.value } })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter adds the holiday; it does not save the form.
            event.preventDefault();
            if (newHoliday.date !== null && !isTwice && !isFull) onChange(withNewHoliday(draft));
          }}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={newHoliday.date === null || isTwice || isFull}
          onClick={() => onChange(withNewHoliday(draft))}
        >
          Tambah libur
        </Button>
      </div>
      {isFull ? <Text fz="sm">Paling banyak {HOLIDAYS_MAX} hari libur. Hapus yang sudah lewat.</Text> : null}
      {past.length > 0 ? (
        <div>
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            ml="-xs"
            aria-expanded={showsPast}
            onClick={() => setShowsPast(!showsPast)}
          >
            {showsPast ? 'Sembunyikan yang sudah lewat' : `Yang sudah lewat (${past.length})`}
          </Button>
          {showsPast ? rows(past) : null}
        </div>
      ) : null}
    </>
  );
}

type RowProps = { holiday: HolidayDraft; onName: (name: string) => void; onRemove: () => void };

function HolidayRow({ holiday: { date, name }, onName, onRemove }: RowProps) {
  const day = showDate(date);
  return (
    <li className={classes['holiday']}>
      <span className={classes['holidayDate']}>{day}</span>
      <TextInput
        aria-label={`Nama libur ${day}`}
        placeholder="tanpa nama"
        value={name}
        maxLength={HOLIDAY_NAME_MAX}
        onChange={(event) => onName(event.currentTarget.value)}
        className={classes['holidayName'] ?? ''}
      />
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={`Hapus libur ${day}`} onClick={onRemove}>
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </li>
  );
}
