import { Menu } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { SnoozeItems } from './snooze-items.tsx';
import { SnoozeTimeDialog } from './snooze-time-dialog.tsx';

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
