import { ActionIcon, type ActionIconProps, Menu } from '@mantine/core';
import { type Icon, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router-dom';

const ICON_PX = 18;

/** Gives the focus back to the button of the menu before something is done. */
type AtButton = (run: () => void) => () => void;

type Props = Omit<ActionIconProps, 'children'> & {
  /** The accessible name of the button. */
  label: string;
  icon: Icon;
  width: number;
  /** Whether the items are as high as a thumb needs. */
  hasHighItems?: boolean;
  deleteLabel: string;
  onDelete: () => void;
  /** The items before 'Hapus'. */
  children?: (atButton: AtButton) => ReactNode;
};

/** The rarer acts on a record. 'Hapus' stands last. */
export function RecordMenu(props: Props) {
  const {
    label,
    icon: ButtonIcon,
    width,
    hasHighItems = false,
    deleteLabel,
    onDelete,
    children,
    ...buttonProps
  } = props;
  const button = useRef<HTMLButtonElement>(null);
  // A question returns the focus to where it was, and the item of the menu will be gone by then.
  const atButton: AtButton = (run) => () => {
    button.current?.focus();
    run();
  };
  return (
    <Menu
      position="bottom-end"
      width={width}
      withinPortal
      styles={hasHighItems ? { item: { minHeight: '2.75rem' } } : {}}
    >
      <Menu.Target>
        <ActionIcon ref={button} color="gray" aria-label={label} title="Aksi lain" {...buttonProps}>
          <ButtonIcon size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {children?.(atButton)}
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={ICON_PX} aria-hidden />}
          aria-label={deleteLabel}
          onClick={atButton(onDelete)}
        >
          Hapus
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type LinkProps = { to: string; icon: Icon; label: string; children: string };

/** Leads to another page. @param label the accessible name */
export function RecordMenuLink({ to, icon: ItemIcon, label, children }: LinkProps) {
  return (
    <Menu.Item component={Link} to={to} leftSection={<ItemIcon size={ICON_PX} aria-hidden />} aria-label={label}>
      {children}
    </Menu.Item>
  );
}
