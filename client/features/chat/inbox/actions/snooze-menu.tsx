import { Menu, Text } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { IconAlarm, IconAlarmOff, IconCalendarTime } from '@tabler/icons-react';
import { SnoozeTimeDialog } from './snooze-time-dialog.tsx';
import { snoozeChoices, snoozeUntil } from './snooze-times.ts';

type SnoozeItemsProps = {
  /** Whether at least one of the conversations is snoozed now. */
  isSnoozed: boolean;
  /** @param until ISO 8601 */
  onSnooze: (until: string) => void;
  onUnsnooze: () => void;
  /** 'Pilih waktu…': opens `SnoozeTimeDialog`, which must stand outside of the menu. */
  onPickTime: () => void;
};

/** The entries of a menu 'Tunda'. */
export function SnoozeItems({ isSnoozed, onSnooze, onUnsnooze, onPickTime }: SnoozeItemsProps) {
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

type Props = {
  isSnoozed: boolean;
  onSnooze: (until: string) => void;
  onUnsnooze: () => void;
  /** The button that opens the menu. */
  children: ReactElement;
};

/** A menu 'Tunda' for one conversation or several: the usual times, another one, and the end of a snooze. */
export function SnoozeMenu({ isSnoozed, onSnooze, onUnsnooze, children }: Props) {
  const [isPickingTime, setIsPickingTime] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={270}>
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          <SnoozeItems
            isSnoozed={isSnoozed}
            onSnooze={onSnooze}
            onUnsnooze={onUnsnooze}
            onPickTime={() => setIsPickingTime(true)}
          />
        </Menu.Dropdown>
      </Menu>
      {isPickingTime ? <SnoozeTimeDialog onClose={() => setIsPickingTime(false)} onChoose={onSnooze} /> : null}
    </>
  );
}
