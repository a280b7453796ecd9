import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core';
import {
  IconDots,
  IconFilePlus,
  IconKey,
  IconMessage,
  IconPencil,
  IconTrash,
  IconUser,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import classes from './user-list.module.css';

export type UserHandlers = {
  onEdit: (user: UserAnswer) => void;
  onResetPassword: (user: UserAnswer) => void;
  onToggle: (user: UserAnswer) => void;
  onDelete: (user: UserAnswer) => void;
};

type Props = UserHandlers & {
  user: UserAnswer;
  /** The reason why the account cannot be deactivated or deleted, or null. */
  protectionReason: string | null;
  /** Of the icons, in px. */
  size: number;
};

/** Disables a control but keeps it focusable, so that keyboard users can read the reason. */
function disabledProps(reason: string | null, onPress: () => void) {
  const isDisabled = reason !== null;
  return {
    ...(isDisabled ? { 'data-disabled': true } : {}),
    'aria-disabled': isDisabled || undefined,
    'aria-description': reason ?? undefined,
    onClick: () => {
      if (!isDisabled) onPress();
    },
  };
}

const toggleLabel = ({ is_active }: UserAnswer) => (is_active ? 'Nonaktifkan' : 'Aktifkan');

/** The actions of a row or card: edit and delete as icons, rare ones in a menu. */
export function UserIcons({ user, protectionReason, size, onEdit, onResetPassword, onToggle, onDelete }: Props) {
  const iconSize = size < 36 ? 18 : 20;
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end" className="no-print">
      <Tooltip label="Edit">
        <ActionIcon size={size} aria-label={`Edit ${user.name}`} onClick={() => onEdit(user)}>
          <IconPencil size={iconSize} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip
        label={protectionReason ?? 'Hapus'}
        events={{ hover: true, focus: true, touch: protectionReason !== null }}
        multiline
        maw={260}
      >
        <ActionIcon
          size={size}
          color="gray"
          className={classes['delete'] ?? ''}
          aria-label={`Hapus (Delete) ${user.name}`}
          {...disabledProps(protectionReason, () => onDelete(user))}
        >
          <IconTrash size={iconSize} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <ActionIcon size={size} color="gray" aria-label={`Tindakan lain untuk ${user.name}`} title="Tindakan lain">
            <IconDots size={iconSize} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={paths.adminUser(user.id)} leftSection={<IconUser size={18} aria-hidden />}>
            Buka halaman user
          </Menu.Item>
          {user.is_admin ? null : (
            <>
              <Menu.Item
                component={Link}
                to={paths.adminConversation(user.id)}
                leftSection={<IconMessage size={18} aria-hidden />}
              >
                Chat
              </Menu.Item>
              <Menu.Item
                component={Link}
                to={paths.adminRecordCreateFor(user.id)}
                leftSection={<IconFilePlus size={18} aria-hidden />}
              >
                Tambah Data Pajak
              </Menu.Item>
            </>
          )}
          {user.has_email ? (
            <Menu.Item
              leftSection={<IconKey size={18} aria-hidden />}
              aria-label={`Atur ulang password ${user.name}`}
              closeMenuOnClick={protectionReason === null}
              {...disabledProps(protectionReason, () => onResetPassword(user))}
            >
              Atur ulang password
            </Menu.Item>
          ) : null}
          <Menu.Item
            leftSection={
              user.is_active ? <IconUserOff size={18} aria-hidden /> : <IconUserCheck size={18} aria-hidden />
            }
            aria-label={`${toggleLabel(user)} ${user.name}`}
            closeMenuOnClick={protectionReason === null}
            {...disabledProps(protectionReason, () => onToggle(user))}
          >
            {toggleLabel(user)}
          </Menu.Item>
          {protectionReason === null ? null : (
            <Menu.Label className={classes['reason'] ?? ''}>{protectionReason}.</Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
