import { type ReactNode, useEffect, useRef } from 'react';
import { type ToastPlace, useToastPlace } from '#client/ui/feedback/use-toast-place.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { ConversationPane } from '../conversation/conversation-pane.tsx';
import { ListToggle } from './list-toggle.tsx';
import { ColumnBar } from './column-bar.tsx';
import classes from './columns.module.css';
import { ConversationTabs, panelIdOf, tabIdOf } from './conversation-tabs.tsx';

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
  // Where not all of them fit, the focused one comes into view.
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
