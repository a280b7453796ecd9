import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';

type Props = {
  /** The subject of the row, for screen readers. */
  label: string;
  /** The button; an action that opens a dialog focuses it first, so that the dialog gives the focus back to it. */
  button?: RefObject<HTMLButtonElement | null>;
  children: ReactNode;
};

/** The actions of a row in a list of the dashboard. */
export function RowMenu({ label, button, children }: Props) {
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon
          size={40}
          color="gray"
          className="no-print"
          aria-label={`Tindakan untuk ${label}`}
          title="Tindakan"
          {...(button ? { ref: button } : {})}
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
