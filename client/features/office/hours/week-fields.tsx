import { Button, Group, Switch, Text, TextInput } from '@mantine/core';
import { WEEKDAY_NAMES } from '#shared/domain/office/office-days.ts';
import { dayError, type DayDraft, likeMonday } from './hours-draft.ts';
import classes from './office-hours.module.css';
import { parseTimeOfDay, showTimeOfDay } from '#client/ui/fields/parse-time.ts';

type Props = { days: readonly DayDraft[]; onChange: (days: DayDraft[]) => void };

/** Seven lines: open or closed, from when and until when. Times are typed, because a browser may show its own with AM and PM. */
export function WeekFields({ days, onChange }: Props) {
  const change = (weekday: number, fields: Partial<DayDraft>): void =>
    onChange(days.map((day) => (day.weekday === weekday ? { ...day, ...fields } : day)));
  const openDays = days.filter(({ isOpen }) => isOpen);
  const hasDifferentTimes = openDays.some(
    ({ open, close }) => open !== openDays[0]?.open || close !== openDays[0]?.close,
  );
  return (
    <>
      <ul className={classes['week']}>
        {days.map((day) => (
          <DayFields key={day.weekday} day={day} onChange={(fields) => change(day.weekday, fields)} />
        ))}
      </ul>
      {openDays[0]?.weekday === 1 && hasDifferentTimes ? (
        <Group mt="sm">
          <Button variant="default" onClick={() => onChange(likeMonday(days))}>
            Samakan dengan Senin
          </Button>
        </Group>
      ) : null}
    </>
  );
}

function DayFields({ day, onChange }: { day: DayDraft; onChange: (fields: Partial<DayDraft>) => void }) {
  const { weekday, isOpen, open, close } = day;
  const name = WEEKDAY_NAMES[weekday - 1] ?? '';
  const error = dayError(day);
  const errorId = `galat-hari-${weekday}`;
  const field = (key: 'open' | 'close', label: string, value: string) => (
    <TextInput
      aria-label={`${name}: ${label}`}
      value={value}
      onChange={(event) => onChange({ [key]: event.currentTarget.value })}
      onBlur={() => {
        const time = parseTimeOfDay(value);
        if (time !== null) onChange({ [key]: showTimeOfDay(time) });
      }}
      inputMode="decimal"
      autoComplete="off"
      maxLength={8}
      placeholder="08.00"
      error={error !== null}
      {...(error === null ? {} : { 'aria-describedby': errorId })}
      className={classes['time'] ?? ''}
    />
  );
  return (
    <li className={classes['day']} data-error={error === null ? undefined : true}>
      <Switch
        label={name}
        aria-label={`${name} buka`}
        checked={isOpen}
        onChange={(event) => onChange({ isOpen: event.currentTarget.checked })}
        size="md"
        classNames={{ root: classes['dayName'] ?? '', track: classes['track'] ?? '' }}
      />
      {isOpen ? (
        <span className={classes['times']}>
          {field('open', 'jam buka', open)}
          <span aria-hidden>–</span>
          {field('close', 'jam tutup', close)}
        </span>
      ) : (
        <Text c="dimmed" className={classes['times'] ?? ''}>
          Tutup
        </Text>
      )}
      {error === null ? null : (
        <Text id={errorId} c="red" fz="sm" role="alert" className={classes['dayError'] ?? ''}>
          {error}
        </Text>
      )}
    </li>
  );
}
