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
  /** Why only the edit is possible, or null. */
  reason: string | null;
};

type GuardedProps = { label: string; word: string; reason: string | null; onPress: () => void };

/** What a control that is off still does: it keeps the focus and says why, so it is not really disabled. */
function offState(reason: string | null, onPress: () => void) {
  const off = reason !== null;
  return {
    'data-disabled': off || undefined,
    'aria-disabled': off || undefined,
    'aria-description': reason ?? undefined,
    onClick: () => {
      if (!off) onPress();
    },
  };
}

function GuardedIcon({
  label,
  word,
  reason,
  onPress,
  icon: Icon,
  color,
}: GuardedProps & { icon: TablerIcon; color: string }) {
  return (
    <Tooltip label={reason ?? word} events={{ hover: true, focus: true, touch: reason !== null }} multiline maw={260}>
      <ActionIcon size={40} color={color} aria-label={label} {...offState(reason, onPress)}>
        <Icon size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const toggleWord = ({ is_active }: UserAnswer) => (is_active ? 'Nonaktifkan' : 'Aktifkan');

/** Icons, for the narrow column of a table. */
export function UserIcons({ user, reason, onEdit, onToggle, onDelete }: Props) {
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <Tooltip label="Edit">
        <ActionIcon size={40} aria-label={`Edit ${user.name}`} onClick={() => onEdit(user)}>
          <IconPencil size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <GuardedIcon
        icon={user.is_active ? IconUserOff : IconUserCheck}
        color="gray"
        word={toggleWord(user)}
        label={`${toggleWord(user)} ${user.name}`}
        reason={reason}
        onPress={() => onToggle(user)}
      />
      <GuardedIcon
        icon={IconTrash}
        color="red"
        word="Hapus"
        label={`Hapus (Delete) ${user.name}`}
        reason={reason}
        onPress={() => onDelete(user)}
      />
    </Group>
  );
}

/** Words, for thumbs. */
export function UserButtons({ user, reason, onEdit, onToggle, onDelete }: Props) {
  return (
    <div className={classes['buttons']}>
      <Button variant="light" px="xs" aria-label={`Edit ${user.name}`} onClick={() => onEdit(user)}>
        Edit
      </Button>
      <Button
        variant="default"
        px="xs"
        aria-label={`${toggleWord(user)} ${user.name}`}
        {...offState(reason, () => onToggle(user))}
      >
        {toggleWord(user)}
      </Button>
      <Button
        variant="subtle"
        color="red"
        px="xs"
        aria-label={`Hapus (Delete) ${user.name}`}
        {...offState(reason, () => onDelete(user))}
      >
        Hapus
      </Button>
    </div>
  );
}
