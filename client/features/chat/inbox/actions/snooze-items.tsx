import { Menu } from '@mantine/core';
import { IconAlarm, IconAlarmOff, IconCalendarTime } from '@tabler/icons-react';
import { SNOOZE_CHOICES, snoozeUntil } from './snooze-times.ts';

type Props = {
  /** Whether at least one of the conversations is snoozed now. */
  isSnoozed: boolean;
  /** @param until ISO 8601 */
  onSnooze: (until: string) => void;
  onUnsnooze: () => void;
  /** 'Pilih waktu…': opens `SnoozeTimeDialog`, which must stand outside of the menu. */
  onPickTime: () => void;
};

/** The entries of a menu 'Tunda'. */
export function SnoozeItems({ isSnoozed, onSnooze, onUnsnooze, onPickTime }: Props) {
  return (
    <>
      {SNOOZE_CHOICES.map((choice) => (
        <Menu.Item
          key={choice}
          leftSection={<IconAlarm size={18} aria-hidden />}
          onClick={() => onSnooze(snoozeUntil(choice, Date.now()))}
        >
          {choice}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconCalendarTime size={18} aria-hidden />} onClick={onPickTime}>
        Pilih waktu…
      </Menu.Item>
      {isSnoozed ? (
        <Menu.Item leftSection={<IconAlarmOff size={18} aria-hidden />} onClick={onUnsnooze}>
          Akhiri penundaan
        </Menu.Item>
      ) : null}
    </>
  );
}
