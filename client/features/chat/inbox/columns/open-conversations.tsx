import { type ReactNode, useEffect, useRef } from 'react';
import { ActionIcon } from '@mantine/core';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconArrowsMaximize,
  IconX,
} from '@tabler/icons-react';
import { type ToastPlace, useToastPlace } from '#client/ui/feedback/use-toast-place.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { ConversationPane } from '../conversation/conversation-pane.tsx';
import classes from './columns.module.css';
import { ConversationTabs, panelIdOf, tabIdOf } from './conversation-tabs.tsx';
import { useUnreadCount } from '../../session/use-chat.ts';
import { UnreadBadge } from '../../thread/unread-badge.tsx';
import { useConversationUser } from '../conversation/use-conversation-user.ts';

type ColumnBarProps = {
  userId: string;
  /** From the left, beginning with 1: the number of its key. */
  number: number;
  onClose: () => void;
  onCloseOthers: () => void;
  /** At the left of the first column: a button that hides the list. */
  children?: ReactNode;
};

/** Above a conversation that stands beside others: its number, what is unread there, and the buttons of the column. */
function ColumnBar({ userId, number, onClose, onCloseOthers, children }: ColumnBarProps) {
  const { name } = useConversationUser(userId);
  const unreadCount = useUnreadCount(userId);
  return (
    <div className={`${classes['bar']} no-print`}>
      {children}
      <span className={classes['number']} title={`Alt+${number} atau Ctrl+${number}`}>
        {number}
      </span>
      {/* The head has the name too, but less space for it. */}
      <span className={classes['barName']} aria-hidden>
        {name}
      </span>
      <UnreadBadge count={unreadCount} />
      <ActionIcon
        size={32}
        color="gray"
        aria-label={`Hanya tampilkan percakapan dengan ${name}`}
        title="Hanya tampilkan ini (Alt+0)"
        onClick={onCloseOthers}
      >
        <IconArrowsMaximize size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={32}
        color="gray"
        aria-label={`Tutup percakapan dengan ${name}`}
        title="Tutup (Esc)"
        onClick={onClose}
      >
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Four columns and the list beside them need a wide screen; without the list four fit from 1,400 px on. */
function ListToggle({ isListHidden, onToggle }: { isListHidden: boolean; onToggle: () => void }) {
  const label = isListHidden ? 'Tampilkan daftar percakapan' : 'Sembunyikan daftar percakapan';
  const Icon = isListHidden ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <ActionIcon size={32} color="gray" aria-label={label} title={label} onClick={onToggle}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}

type Props = {
  chatSession: ChatSession;
  userIds: readonly string[];
  focusedId: string;
  /** Whether there is space for several side by side; elsewhere they are tabs. */
  hasColumns: boolean;
  isSinglePane: boolean;
  /** Which message field was asked to take the focus, and how often. */
  fieldFocusRequest: { userId: string; times: number } | null;
  /** Above the message field of the focused conversation. */
  notice: ReactNode;
  onFocus: (userId: string) => void;
  /** In the place of the conversation that asks for it. */
  onOpenInstead: (userId: string, nextId: string, wasWriting: boolean) => void;
  onClose: (userId: string) => void;
  onCloseOthers: (userId: string) => void;
  isListHidden: boolean;
  onToggleList: () => void;
};

/** At the bottom toasts would cover the newest message and the field. */
function topOfMessages(conversations: HTMLElement | null): ToastPlace | null {
  const boxes = [...(conversations?.querySelectorAll('[role="log"]') ?? [])].map((log) => log.getBoundingClientRect());
  const last = boxes.at(-1);
  if (!last) return null;
  return { top: Math.max(...boxes.map(({ top }) => top)), right: window.innerWidth - last.right };
}

/** The open conversations: one as ever, several side by side or as tabs. */
export function OpenConversations({
  chatSession,
  userIds,
  focusedId,
  hasColumns,
  isSinglePane,
  fieldFocusRequest,
  notice,
  onFocus,
  onOpenInstead,
  onClose,
  onCloseOthers,
  isListHidden,
  onToggleList,
}: Props) {
  const box = useRef<HTMLDivElement>(null);
  useToastPlace(() => topOfMessages(box.current));
  const isAlone = userIds.length === 1;
  const layout = isAlone ? 'one' : hasColumns ? 'columns' : 'tabs';
  useEffect(() => chatSession.setFocused(focusedId), [chatSession, focusedId]);
  useEffect(() => () => chatSession.setFocused(null), [chatSession]);
  // The focused conversation scrolls into view, because the screen may be too narrow for all of them.
  useEffect(() => {
    const columns = [...(box.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    const focused = columns.find(({ dataset }) => dataset['column'] === focusedId);
    focused?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [focusedId, layout]);

  return (
    <div ref={box} className={classes['conversations']} data-layout={layout}>
      {layout === 'tabs' ? (
        <ConversationTabs userIds={userIds} focusedId={focusedId} onFocus={onFocus} onClose={onClose} />
      ) : null}
      {userIds.map((userId, index) =>
        layout === 'tabs' && userId !== focusedId ? null : (
          <div
            key={userId}
            className={classes['column']}
            data-column={userId}
            data-focused={userId === focusedId || undefined}
            {...(layout === 'tabs'
              ? { role: 'tabpanel', id: panelIdOf(userId), 'aria-labelledby': tabIdOf(userId) }
              : {})}
            onFocusCapture={() => onFocus(userId)}
            onPointerDownCapture={() => onFocus(userId)}
          >
            {layout === 'columns' ? (
              <ColumnBar
                userId={userId}
                number={index + 1}
                onClose={() => onClose(userId)}
                onCloseOthers={() => onCloseOthers(userId)}
              >
                {index === 0 ? <ListToggle isListHidden={isListHidden} onToggle={onToggleList} /> : null}
              </ColumnBar>
            ) : null}
            <ConversationPane
              chatSession={chatSession}
              userId={userId}
              isSinglePane={isSinglePane}
              fieldFocusRequests={fieldFocusRequest?.userId === userId ? fieldFocusRequest.times : 0}
              notice={userId === focusedId ? notice : null}
              onOpen={(nextId, wasWriting) => onOpenInstead(userId, nextId, wasWriting)}
              onBack={layout === 'columns' ? undefined : () => onClose(userId)}
            />
          </div>
        ),
      )}
    </div>
  );
}
