import { Menu, Text } from '@mantine/core';
import { IconAlarm, IconAlarmOff, IconCalendarTime } from '@tabler/icons-react';
import { useState } from 'react';
import { snoozeChoices, snoozeUntil } from './snooze-times.ts';

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
  const [choices] = useState(() => snoozeChoices(Date.now()));
  return (
    <>
      {choices.map(({ label, when }) => (
        <Menu.Item
          key={label}
          leftSection={<IconAlarm size={18} aria-hidden />}
          rightSection={
            <Text component="span" fz="sm">
              {when}
            </Text>
          }
          onClick={() => onSnooze(snoozeUntil(label, Date.now()))}
        >
          {label}
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
