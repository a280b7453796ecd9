import { Group, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { parseTimeOfDay, showTimeOfDay } from '#client/ui/fields/parse-time.ts';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { type PushPreferences, pushTexts } from '#shared/api/push.ts';

type QuietHours = NonNullable<PushPreferences['quiet_hours']>;

/** From the evening prayer to the dawn: what most people would choose. */
const FIRST_QUIET_HOURS: QuietHours = { from: '21:00', to: '06:00' };
const TIME_ERROR = 'Tulis jam seperti 21.00';

/** 'WIB'; the zone of the office, whatever the zone of the browser is. */
function zoneName(): string {
  const parts = new Intl.DateTimeFormat('id-ID', { timeZone: SERVER_TIME_ZONE, timeZoneName: 'short' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function describe({ from, to }: QuietHours): string {
  const end = to < from ? `${showTimeOfDay(to)} keesokan harinya` : showTimeOfDay(to);
  return `Dari ${showTimeOfDay(from)} sampai ${end} (${zoneName()}) tidak ada notifikasi. Yang tertahan datang setelahnya.`;
}

type Props = {
  quietHours: PushPreferences['quiet_hours'];
  disabled: boolean;
  onChange: (quietHours: PushPreferences['quiet_hours']) => Promise<boolean>;
};

/** When nothing may ring (R-PUSH-64). */
export function QuietHoursField({ quietHours, disabled, onChange }: Props) {
  // Switching off and on again brings the same hours back.
  const [lastHours, setLastHours] = useState(FIRST_QUIET_HOURS);
  return (
    <>
      <SettingSwitch
        label="Jam tenang"
        description={quietHours ? describe(quietHours) : 'Tahan notifikasi pada jam istirahat Anda.'}
        checked={quietHours !== null}
        disabled={disabled}
        onChange={(on) => {
          if (quietHours) setLastHours(quietHours);
          void onChange(on ? lastHours : null);
        }}
      />
      {quietHours && !disabled ? <HoursFields quietHours={quietHours} onSave={onChange} /> : null}
    </>
  );
}

type FieldsProps = { quietHours: QuietHours; onSave: (quietHours: QuietHours) => Promise<boolean> };
type Name = keyof QuietHours;

const show = ({ from, to }: QuietHours): QuietHours => ({ from: showTimeOfDay(from), to: showTimeOfDay(to) });

function findError(name: Name, typed: QuietHours): string | null {
  const time = parseTimeOfDay(typed[name]);
  if (time === null) return TIME_ERROR;
  return name === 'to' && time === parseTimeOfDay(typed.from) ? pushTexts.quietHoursSame : null;
}

/**
 * Two times, stored when a field is left or by Enter, as the switches beside it are stored at once. Times are typed, because a
 * browser may show its own with AM and PM.
 */
function HoursFields({ quietHours, onSave }: FieldsProps) {
  const [typed, setTyped] = useState(() => show(quietHours));
  const [checked, setChecked] = useState(false);
  const [known, setKnown] = useState(quietHours);
  // Stored here or in another tab; what is being typed in the other field stays.
  if (known.from !== quietHours.from || known.to !== quietHours.to) {
    setKnown(quietHours);
    const shown = show(quietHours);
    setTyped({
      from: known.from === quietHours.from ? typed.from : shown.from,
      to: known.to === quietHours.to ? typed.to : shown.to,
    });
  }
  const errorId = useId();
  const errors = checked ? { from: findError('from', typed), to: findError('to', typed) } : { from: null, to: null };
  const error = errors.from ?? errors.to;

  function commit(): void {
    setChecked(true);
    const from = parseTimeOfDay(typed.from);
    const to = parseTimeOfDay(typed.to);
    setTyped({ from: from ? showTimeOfDay(from) : typed.from, to: to ? showTimeOfDay(to) : typed.to });
    if (from === null || to === null || from === to) return;
    if (from !== quietHours.from || to !== quietHours.to) void onSave({ from, to });
  }

  const field = (name: Name, label: string) => (
    <TextInput
      label={label}
      value={typed[name]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setTyped((before) => ({ ...before, [name]: value }));
        setChecked(false);
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        // The form of the page around it has nothing to do with it.
        event.preventDefault();
        commit();
      }}
      inputMode="decimal"
      autoComplete="off"
      maxLength={8}
      error={errors[name] !== null}
      {...(errors[name] === null ? {} : { 'aria-describedby': errorId })}
      w="6.5rem"
    />
  );

  return (
    <Group
      component="fieldset"
      gap="0.5rem 1rem"
      align="stretch"
      m={0}
      p={0}
      pb="0.875rem"
      bd={0}
      aria-label="Jam tenang"
    >
      {field('from', 'Mulai jam')}
      {field('to', 'Selesai jam')}
      {error === null ? null : (
        <Text id={errorId} c="red" fz="sm" flex="0 0 100%" role="alert">
          {error}
        </Text>
      )}
    </Group>
  );
}
