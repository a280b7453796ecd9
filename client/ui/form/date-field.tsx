import '@mantine/dates/styles.layer.css';
import { DateInput } from '@mantine/dates';
import 'dayjs/locale/id';
import { type ReactNode, useState } from 'react';
import { parseTypedDate } from './parse-typed-date.ts';
import classes from './date-field.module.css';

const calendarLabels = {
  nextMonth: 'Bulan berikutnya',
  previousMonth: 'Bulan sebelumnya',
  nextYear: 'Tahun berikutnya',
  previousYear: 'Tahun sebelumnya',
  nextDecade: 'Sepuluh tahun berikutnya',
  previousDecade: 'Sepuluh tahun sebelumnya',
  monthLevelControl: 'Pilih bulan',
  yearLevelControl: 'Pilih tahun',
};

type Props = {
  label: string;
  description?: ReactNode;
  /** yyyy-mm-dd */
  value: string | null;
  onChange: (value: string | null) => void;
  disabled?: boolean;
  withAsterisk?: boolean;
  error?: ReactNode;
};

/**
 * A date, typed with the day first or picked from a calendar. A text that is no real date counts as no date
 * (docs/requirements.md R-API-6). It stays in the field, with a message.
 */
export function DateField(props: Props) {
  const { label, description, value, onChange, disabled = false, withAsterisk = false, error } = props;
  const [typed, setTyped] = useState('');
  const [wasBlurred, setWasBlurred] = useState(false);
  const isInvalid = !disabled && typed.trim() !== '' && parseTypedDate(typed) === null;

  return (
    <DateInput
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="DD/MM/YYYY"
      valueFormat="DD/MM/YYYY"
      locale="id"
      inputMode="numeric"
      value={disabled ? null : value}
      onChange={(date) => {
        setTyped('');
        onChange(date);
      }}
      dateParser={parseTypedDate}
      onInput={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setWasBlurred(false);
        // Otherwise the previous date would be saved while the new one is incomplete.
        if (value !== null && parseTypedDate(text) === null) onChange(null);
      }}
      onBlur={() => setWasBlurred(true)}
      fixOnBlur={!isInvalid}
      clearable
      clearButtonProps={{ 'aria-label': 'Kosongkan tanggal', tabIndex: 0, className: classes['clear'] }}
      rightSectionWidth={44}
      ariaLabels={calendarLabels}
      // Mantine's grey and red of these days are too pale (WCAG 1.4.3) and have no meaning here.
      hideOutsideDates
      weekendDays={[]}
      // Inside `main`, so that screen readers find it in the content of the page.
      popoverProps={{ withinPortal: false }}
      disabled={disabled}
      withAsterisk={withAsterisk}
      error={isInvalid && wasBlurred ? 'Tanggal ini tidak ada. Tulis seperti 31/12/2025.' : error}
    />
  );
}
