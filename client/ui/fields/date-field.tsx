import '@mantine/dates/styles.layer.css';
import { Button } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import 'dayjs/locale/id';
import { IconCalendar } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { today } from '#client/lib/format.ts';
import { parseTypedDate } from './parse-typed-date.ts';
import classes from './date-field.module.css';

/** The one day that an Indonesian calendar prints in red. */
const SUNDAY = 0;

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
  /** yyyy-mm-dd: the month that an empty field shows first. Default: the current month. */
  openAt?: string | undefined;
  /** yyyy-mm-dd: what an empty field shows. Null: only the order of day, month and year, where the field is narrow. */
  example?: string | null;
  /** The latest date that is accepted, and what a later one is told. */
  latest?: { date: string; text: string };
  /** Offers today as one press beside the field. */
  withToday?: boolean;
  /** The label stands in the empty field, where a line of its own has no place. */
  isLabelInside?: boolean;
  /** Before the keys of the field itself. */
  onKeyDown?: (event: KeyboardEvent) => void;
  /** Without it nothing covers what stands beside the field. */
  hasCalendar?: boolean;
  /** Gets the focus when its dialog opens, without the calendar. */
  autofocus?: boolean;
  error?: ReactNode;
};

/**
 * A date, typed with the day first or picked from a calendar. A text that is no real date stays in the field, with a
 * message, and forms do not save it (docs/requirements.md R-UI-23). '30/9' is a day of the year of `openAt`, else of this year,
 * and '30/9/25' one of 2025.
 */
export function DateField(props: Props) {
  const { label, description, value, onChange, disabled = false, withAsterisk = false, openAt, latest, error } = props;
  const {
    example = `${(openAt ?? today()).slice(0, 4)}-09-30`,
    withToday = false,
    isLabelInside = false,
    hasCalendar = true,
    autofocus = false,
  } = props;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [wasBlurred, setWasBlurred] = useState(false);
  // Enter ends the typing, so it closes the calendar, which would cover the next field.
  const [isCalendarClosed, setIsCalendarClosed] = useState(autofocus);
  const accept = (text: string): string | null => {
    const date = parseTypedDate(text);
    return date !== null && latest && date > latest.date ? null : date;
  };
  const isInvalid = !disabled && typed.trim() !== '' && accept(typed) === null;
  const isTooLate = isInvalid && parseTypedDate(typed) !== null;

  /** Completes the year of a finished '30/9' or '30/9/25'; while it is typed, more digits may follow. */
  function completeYear(): void {
    const date = parseTypedDate(typed, Number((openAt ?? today()).slice(0, 4)));
    if (!isInvalid || date === null || (latest && date > latest.date)) return;
    setTyped('');
    onChange(date);
  }

  function chooseToday({ nativeEvent }: MouseEvent): void {
    setTyped('');
    setIsCalendarClosed(true);
    // The input takes a new value only while it has no focus.
    flushSync(() => onChange(today()));
    // The next Enter is for the form. A phone would open its keyboard.
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
    if (!isTouch) input.current?.focus({ preventScroll: true });
  }

  return (
    <DateInput
      ref={input}
      {...(autofocus ? { 'data-autofocus': true } : {})}
      {...(isLabelInside ? { 'aria-label': label } : { label })}
      {...(withToday
        ? {
            inputContainer: placeBeside(
              <Button variant="default" px="sm" disabled={disabled} onClick={chooseToday}>
                Hari ini
              </Button>,
            ),
          }
        : {})}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={isLabelInside ? label : placeholderOf(example)}
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
        if (value !== null && accept(text) === null) onChange(null);
        setIsCalendarClosed(false);
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event);
        if (event.key !== 'Enter') return;
        // A key that is held down since 'Hari ini' must not also send the form.
        if (event.repeat) event.preventDefault();
        setIsCalendarClosed(true);
        completeYear();
      }}
      onClick={() => setIsCalendarClosed(false)}
      onBlur={() => {
        setWasBlurred(true);
        setIsCalendarClosed(false);
        completeYear();
      }}
      // Forms refuse to save while it is there: `focusInvalidDate`.
      {...(isInvalid ? { 'data-invalid-date': true } : {})}
      fixOnBlur={!isInvalid}
      {...(latest ? { maxDate: latest.date } : {})}
      {...(openAt === undefined ? {} : { defaultDate: openAt })}
      leftSection={<IconCalendar size={18} aria-hidden />}
      leftSectionPointerEvents="none"
      clearable
      // Tab leads to the next field: with the keyboard a date is cleared by emptying its text.
      clearButtonProps={{ 'aria-label': 'Kosongkan tanggal', tabIndex: -1, className: classes['clear'] }}
      rightSectionWidth={44}
      ariaLabels={calendarLabels}
      // Mantine's grey of these days is too pale (WCAG 1.4.3).
      hideOutsideDates
      highlightToday
      weekendDays={[SUNDAY]}
      classNames={{ day: classes['day'] ?? '' }}
      // Inside `main`, so that screen readers find it in the content of the page.
      popoverProps={{ withinPortal: false, ...(isCalendarClosed || !hasCalendar ? { opened: false } : {}) }}
      disabled={disabled}
      withAsterisk={withAsterisk}
      error={
        isTooLate ? latest?.text : isInvalid && wasBlurred ? 'Tanggal ini tidak ada. Tulis seperti 31/12/2025.' : error
      }
    />
  );
}

const placeholderOf = (example: string | null): string =>
  example === null ? 'tgl/bln/thn' : `contoh: ${example.split('-').toReversed().join('/')}`;

function placeBeside(button: ReactNode) {
  return (field: ReactNode) => (
    <div className={classes['withToday']}>
      {field}
      {button}
    </div>
  );
}
