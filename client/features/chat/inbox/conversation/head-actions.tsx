import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconAlarm,
  IconChevronDown,
  IconDotsVertical,
  IconDownload,
  IconFileInvoice,
  IconNotes,
  IconTrash,
} from '@tabler/icons-react';
import { useRef } from 'react';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { SnoozeMenu } from '../actions/snooze-menu.tsx';
import type { ConversationActions } from '../actions/use-conversation-actions.ts';
import { ClaimControl, StateWithButton } from './claim-control.tsx';
import chat from '../../chat.module.css';
import classes from './conversation.module.css';

export type HeadState = {
  claimedBy: ConversationSummary['claimed_by'];
  /** 'Ditunda s.d. Sen 08.00'; empty while it is not snoozed. */
  snoozedText: string;
  /** Somebody waits for an answer. */
  isWaiting: boolean;
  hasMessages: boolean;
};

export type HeadProps = {
  userId: string;
  currentUserId: string;
  state: HeadState;
  actions: ConversationActions;
  records: { total: number; overdue: number } | undefined;
  areRecordsOpen: boolean;
  noteCount: number;
  isDeleting: boolean;
  onToggleRecords: () => void;
  onShowNotes: () => void;
  onDownload: () => void;
  onDelete: () => void;
  /** 'Tidak perlu dibalas' */
  onDismiss: () => void;
};

/** 'Data PBB (3)' */
export const countedLabel = (label: string, count: number | undefined): string =>
  count ? `${label} (${count})` : label;

/** 'Data PBB (7)', 'Data PBB (7) · 5 menunggak' */
export const recordsLabel = (records: HeadProps['records']): string =>
  countedLabel('Data PBB', records?.total) + (records?.overdue ? ` · ${records.overdue} menunggak` : '');

/** Below the name of the user: who answers, and when. */
export function HeadActions(props: HeadProps) {
  const { userId, currentUserId, state, actions } = props;
  const { snoozedText, hasMessages } = state;
  const button = chat['barButton'] ?? '';
  return (
    <div className={`${classes['bar']} no-print`}>
      <ClaimControl userId={userId} claimedBy={state.claimedBy} currentUserId={currentUserId} actions={actions} />
      {snoozedText === '' ? (
        <SnoozeMenu
          isSnoozed={false}
          onSnooze={(until) => void actions.snooze(userId, until)}
          onUnsnooze={() => void actions.unsnooze(userId)}
        >
          <Button
            className={button}
            variant="default"
            leftSection={<IconAlarm size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            disabled={actions.busy || !hasMessages}
          >
            Tunda
          </Button>
        </SnoozeMenu>
      ) : (
        <StateWithButton text={snoozedText}>
          <Button
            className={button}
            variant="default"
            disabled={actions.busy}
            onClick={() => void actions.unsnooze(userId)}
          >
            Akhiri penundaan
          </Button>
        </StateWithButton>
      )}
      <Button
        className={button}
        variant="default"
        disabled={actions.busy || !state.isWaiting}
        onClick={props.onDismiss}
      >
        Tidak perlu dibalas
      </Button>
    </div>
  );
}

/** The last two items of each menu of a head: they are not pressed often. */
export function HistoryItems({ state, isDeleting, onDownload, onDelete }: HeadProps) {
  return (
    <>
      <Menu.Item leftSection={<IconDownload size={18} aria-hidden />} onClick={onDownload}>
        Unduh percakapan
      </Menu.Item>
      <Menu.Item
        color="var(--mantine-color-error)"
        leftSection={<IconTrash size={18} aria-hidden />}
        disabled={isDeleting || !state.hasMessages}
        onClick={onDelete}
      >
        Hapus riwayat chat
      </Menu.Item>
    </>
  );
}

/** In the first row: what stands around the conversation, and at its end the menu of what is not pressed often. */
export function HeadIcons(props: HeadProps) {
  const { records, areRecordsOpen, noteCount } = props;
  const isOwing = (records?.overdue ?? 0) > 0;
  const menuButton = useRef<HTMLButtonElement>(null);
  // A question returns the focus to where it was, and the item of the menu will be gone by then.
  const atButton = (run: () => void) => () => {
    menuButton.current?.focus();
    run();
  };
  const button = chat['barButton'] ?? '';
  return (
    <>
      <Button
        className={button}
        variant={areRecordsOpen ? 'light' : 'default'}
        {...(isOwing ? { c: 'var(--mantine-color-red-light-color)' } : {})}
        leftSection={<IconFileInvoice size={16} aria-hidden />}
        aria-expanded={areRecordsOpen}
        data-opens-records
        onClick={props.onToggleRecords}
      >
        {recordsLabel(records)}
      </Button>
      <Button
        className={button}
        variant="default"
        leftSection={<IconNotes size={16} aria-hidden />}
        onClick={props.onShowNotes}
      >
        {countedLabel('Catatan', noteCount)}
      </Button>
      <Menu position="bottom-end" width={250} classNames={{ item: classes['menuItem'] ?? '' }}>
        <Menu.Target>
          <ActionIcon ref={menuButton} color="gray" aria-label="Tindakan lain" title="Tindakan lain">
            <IconDotsVertical size={22} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <HistoryItems {...props} onDownload={atButton(props.onDownload)} onDelete={atButton(props.onDelete)} />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
