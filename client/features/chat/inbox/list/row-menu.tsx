import { Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconChecks,
  IconExternalLink,
  IconHandGrab,
  IconLayoutColumns,
  IconListCheck,
  IconUser,
} from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { stateOf } from '../../state/model/list-order.ts';
import { currentUserAtom, listAtom } from '../../state/selectors.ts';
import { SnoozeItems } from '../actions/snooze-menu.tsx';
import { SnoozeTimeDialog } from '../actions/snooze-time-dialog.tsx';
import { useConversationActions } from '../actions/use-conversation-actions.ts';

/** For which row the menu is open, and where on the screen. */
export type RowMenuRequest = { userId: string; x: number; y: number };

type Props = {
  request: RowMenuRequest | null;
  onClose: () => void;
  onOpenBeside: (userId: string) => void;
  onSelect: (userId: string) => void;
  searchOf: (userId: string) => string;
};

/** The menu of a row. There is one for the whole list, because a menu in each row would make every row heavier. */
export function RowMenu({ request, onClose, onOpenBeside, onSelect, searchOf }: Props) {
  const actions = useConversationActions();
  const adminId = useAtomValue(currentUserAtom)?.id ?? '';
  const { entries } = useAtomValue(listAtom);
  const [timeFor, setTimeFor] = useState<string | null>(null);
  // The menu keeps its entries while it closes.
  const [last, setLast] = useState(request);
  if (request !== null && request !== last) setLast(request);

  const shown = request ?? last;
  const summary = shown ? entries[shown.userId]?.summary : undefined;
  const userId = shown?.userId ?? '';
  const holder = summary?.claimed_by ?? null;
  const iconProps = { size: 18, 'aria-hidden': true } as const;
  return (
    <>
      <Menu opened={request !== null} onClose={onClose} position="bottom-start" width={270} returnFocus={false}>
        <Menu.Target>
          {/* Only a place: the menu's own attributes mean nothing on it. */}
          <span
            aria-hidden
            style={{ position: 'fixed', top: shown?.y ?? 0, left: shown?.x ?? 0, pointerEvents: 'none' }}
          />
        </Menu.Target>
        {summary ? (
          <Menu.Dropdown aria-label={`Menu percakapan dengan ${summary.other_user.name}`}>
            {holder === null ? (
              <Menu.Item leftSection={<IconHandGrab {...iconProps} />} onClick={() => void actions.claim(userId)}>
                Ambil
              </Menu.Item>
            ) : null}
            {holder?.id === adminId ? (
              <Menu.Item leftSection={<IconArrowBackUp {...iconProps} />} onClick={() => void actions.release(userId)}>
                Lepas
              </Menu.Item>
            ) : null}
            {holder !== null && holder.id !== adminId ? (
              <Menu.Item leftSection={<IconHandGrab {...iconProps} />} onClick={() => void actions.take(userId)}>
                Ambil alih dari {holder.name}
              </Menu.Item>
            ) : null}
            {summary.unanswered_since ? (
              <Menu.Item leftSection={<IconChecks {...iconProps} />} onClick={() => void actions.dismiss(userId)}>
                Tidak perlu dibalas
              </Menu.Item>
            ) : null}
            <Menu.Item leftSection={<IconListCheck {...iconProps} />} onClick={() => onSelect(userId)}>
              Pilih
            </Menu.Item>
            <Menu.Divider />
            <Menu.Label>Tunda</Menu.Label>
            <SnoozeItems
              isSnoozed={stateOf(summary) === 'snoozed'}
              onSnooze={(until) => void actions.snooze(userId, until)}
              onUnsnooze={() => void actions.unsnooze(userId)}
              onPickTime={() => setTimeFor(userId)}
            />
            <Menu.Divider />
            <Menu.Item leftSection={<IconLayoutColumns {...iconProps} />} onClick={() => onOpenBeside(userId)}>
              Buka di samping
            </Menu.Item>
            <Menu.Item
              component={Link}
              to={{ search: searchOf(userId) }}
              target="_blank"
              leftSection={<IconExternalLink {...iconProps} />}
            >
              Buka di tab baru
            </Menu.Item>
            <Menu.Item component={Link} to={paths.adminUser(userId)} leftSection={<IconUser {...iconProps} />}>
              Buka data warga
            </Menu.Item>
          </Menu.Dropdown>
        ) : null}
      </Menu>
      {timeFor === null ? null : (
        <SnoozeTimeDialog onClose={() => setTimeFor(null)} onChoose={(until) => void actions.snooze(timeFor, until)} />
      )}
    </>
  );
}
