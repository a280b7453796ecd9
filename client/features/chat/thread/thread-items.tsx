import { chatDayLabel } from '#shared/domain/date-labels.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { ChatSession } from '../session/chat-session.ts';
import { type Conversation, sideOfMessage } from '../session/conversation.ts';
import type { ThreadItem } from './group-thread-items.ts';
import { deliveryStateOf } from './delivery-state.ts';
import { MessageBubble } from './message-bubble.tsx';
import classes from './thread.module.css';
import { UnsentBubble } from './unsent-bubble.tsx';

type Props = {
  chatSession: ChatSession;
  conversation: Conversation;
  items: readonly ThreadItem[];
  nowMs: number;
  showSenders: boolean;
};

/** 'Hari ini', 'Kemarin', the weekday, or the date (R-CHAT-23). */
function DaySeparator({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <div className={classes['day']}>
      <span>{chatDayLabel(atMs, nowMs, SERVER_TIME_ZONE)}</span>
    </div>
  );
}

/** The items of a conversation; `data-item` is the name by which scrolling keeps its position. */
export function ThreadItems({ chatSession, conversation, items, nowMs, showSenders }: Props) {
  const { side, id: currentUserId } = chatSession.currentUser;

  function renderItem(item: ThreadItem) {
    if (item.kind === 'day') return <DaySeparator atMs={item.atMs} nowMs={nowMs} />;
    if (item.kind === 'unsent') {
      const { client_id } = item.entry;
      return (
        <UnsentBubble
          entry={item.entry}
          first={item.first}
          onRetry={() => chatSession.retry(client_id)}
          onDiscard={() => chatSession.discard(client_id)}
        />
      );
    }
    const { message, first } = item;
    const isOwnSide = sideOfMessage(message) === side;
    const isCurrentUser = isOwnSide && (side === 'user' || message.sender_id === currentUserId);
    return (
      <MessageBubble
        content={message.content}
        writtenAt={message.createdAt}
        own={isOwnSide}
        sender={isCurrentUser ? 'Anda' : message.sender_name}
        showSender={showSenders && first && !isCurrentUser && message.from_admin}
        first={first}
        deliveryState={isOwnSide ? deliveryStateOf(message, side, conversation) : undefined}
      />
    );
  }

  return items.map((item) => (
    <div key={item.key} data-item={item.key}>
      {renderItem(item)}
    </div>
  ));
}
