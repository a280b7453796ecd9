import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash, IconUserCheck, IconUserOff, type TablerIcon } from '@tabler/icons-react';
import type { UserAnswer } from '#shared/api/users.ts';
import classes from './user-list.module.css';

export type UserHandlers = {
  onEdit: (user: UserAnswer) => void;
  onToggle: (user: UserAnswer) => void;
  onDelete: (user: UserAnswer) => void;
};

type Props = UserHandlers & {
  user: UserAnswer;
  /** Why the account cannot be deactivated or deleted, or null. */
  protectionReason: string | null;
};

type ProtectedActionProps = { label: string; tooltip: string; disabledReason: string | null; onPress: () => void };

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

function ProtectedActionIcon({
  label,
  tooltip,
  disabledReason,
  onPress,
  icon: Icon,
  color,
}: ProtectedActionProps & { icon: TablerIcon; color: string }) {
  return (
    <Tooltip
      label={disabledReason ?? tooltip}
      events={{ hover: true, focus: true, touch: disabledReason !== null }}
      multiline
      maw={260}
    >
      <ActionIcon size={40} color={color} aria-label={label} {...disabledProps(disabledReason, onPress)}>
        <Icon size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const toggleLabel = ({ is_active }: UserAnswer) => (is_active ? 'Nonaktifkan' : 'Aktifkan');

/** The actions as icons, for a table. */
export function UserIcons({ user, protectionReason, onEdit, onToggle, onDelete }: Props) {
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <Tooltip label="Edit">
        <ActionIcon size={40} aria-label={`Edit ${user.name}`} onClick={() => onEdit(user)}>
          <IconPencil size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ProtectedActionIcon
        icon={user.is_active ? IconUserOff : IconUserCheck}
        color="gray"
        tooltip={toggleLabel(user)}
        label={`${toggleLabel(user)} ${user.name}`}
        disabledReason={protectionReason}
        onPress={() => onToggle(user)}
      />
      <ProtectedActionIcon
        icon={IconTrash}
        color="red"
        tooltip="Hapus"
        label={`Hapus (Delete) ${user.name}`}
        disabledReason={protectionReason}
        onPress={() => onDelete(user)}
      />
    </Group>
  );
}

/** The actions as buttons with text, for cards. */
export function UserButtons({ user, protectionReason, onEdit, onToggle, onDelete }: Props) {
  return (
    <div className={classes['buttons']}>
      <Button variant="light" px="xs" aria-label={`Edit ${user.name}`} onClick={() => onEdit(user)}>
        Edit
      </Button>
      <Button
        variant="default"
        px="xs"
        aria-label={`${toggleLabel(user)} ${user.name}`}
        {...disabledProps(protectionReason, () => onToggle(user))}
      >
        {toggleLabel(user)}
      </Button>
      <Button
        variant="subtle"
        color="red"
        px="xs"
        aria-label={`Hapus (Delete) ${user.name}`}
        {...disabledProps(protectionReason, () => onDelete(user))}
      >
        Hapus
      </Button>
    </div>
  );
}
