import { captionOf, contentsOf } from '#shared/message-contents.ts';
import { chatDayLabel } from '#shared/domain/dates/date-labels.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { hasFailed, typedTextOf } from '../state/model/outbox-entry.ts';
import { takeBack } from '../drafts/take-back.ts';
import type { ChatSession } from '../session/chat-session.ts';
import { type Conversation, sideOfMessage } from '../state/model/conversation.ts';
import type { ThreadItem } from './group-thread-items.ts';
import { deliveryStateOf, MessageBubble } from './bubble/message-bubble.tsx';
import type { RenewMessage } from './bubble/message-contents.tsx';
import { NoticeLine } from './notices/notice-line.tsx';
import classes from './thread.module.css';
import { discardUnsent, UnsentActions } from './bubble/unsent-actions.tsx';

type Props = {
  chatSession: ChatSession;
  conversation: Conversation;
  items: readonly ThreadItem[];
  nowMs: number;
  showSenders: boolean;
  /** Quotes a message, by its id; the same function at every render. */
  onQuote?: ((messageId: string) => void) | undefined;
  /** Leads to a quoted message, by its id; the same function at every render. */
  onOpenQuoted?: ((messageId: string) => void) | undefined;
  /** Opens a photo in full size; the same function at every render, as the next one. */
  onOpenPhoto?: ((attachmentId: string) => void) | undefined;
  /** Reads a message again, for fresh links to its files. */
  onRenew?: RenewMessage | undefined;
  /** The message to which somebody has jumped. */
  foundId?: string | undefined;
};

/** 'Hari ini', 'Kemarin', the weekday, or the date (R-CHAT-23). */
function DaySeparator({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <div className={classes['day']}>
      <span>{chatDayLabel(atMs, nowMs, SERVER_TIME_ZONE)}</span>
    </div>
  );
}

/** The line above the first message that was unread when the conversation was opened. */
function UnreadLine() {
  return (
    <div className={classes['unread']}>
      <span>Pesan baru</span>
    </div>
  );
}

/** The newest notice about each record: only it has the card, which shows the record as it is now. */
function findNewestNotices(items: readonly ThreadItem[]): ReadonlySet<string> {
  const newest = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== 'message' || item.message.kind !== 'notice' || !item.message.record) continue;
    newest.set(item.message.record.id, item.message._id);
  }
  return new Set(newest.values());
}

/** The items of a conversation; `data-item` is the name of a message by which scrolling keeps its position. */
export function ThreadItems({
  chatSession,
  conversation,
  items,
  nowMs,
  showSenders,
  onQuote,
  onOpenQuoted,
  onOpenPhoto,
  onRenew,
  foundId,
}: Props) {
  const { side, id: currentUserId } = chatSession.currentUser;

  const newestNotices = findNewestNotices(items);

  function renderItem(item: ThreadItem) {
    if (item.kind === 'day') return <DaySeparator atMs={item.atMs} nowMs={nowMs} />;
    if (item.kind === 'extra') return item.node;
    if (item.kind === 'unread') return <UnreadLine />;
    // The same component over both states: the bubble stays when its message is stored, only the clock becomes a tick.
    if (item.kind === 'unsent') {
      const { entry, first } = item;
      return (
        <MessageBubble
          caption={typedTextOf(entry)}
          entry={entry.files.length > 0 || entry.record ? entry : undefined}
          writtenAt={new Date(entry.order).toISOString()}
          own
          sender="Anda"
          first={first}
          deliveryState={hasFailed(entry) ? 'failed' : 'waiting'}
          quote={entry.quote ?? undefined}
          currentUserId={currentUserId}
          onOpenQuoted={onOpenQuoted}
        >
          <UnsentActions
            entry={entry}
            onRetry={() => chatSession.retry(entry.client_id)}
            onDiscard={() => void discardUnsent(chatSession, entry)}
            onEdit={() => takeBack(chatSession, entry)}
            onCancel={() => chatSession.cancelUpload(entry.client_id)}
            onRemoveFile={(fileId) => chatSession.removeFile(entry.client_id, fileId)}
          />
        </MessageBubble>
      );
    }
    const { message, first } = item;
    const isOwnSide = sideOfMessage(message) === side;
    const isCurrentUser = isOwnSide && (side === 'user' || message.sender_id === currentUserId);
    const sender = isCurrentUser ? 'Anda' : message.sender_name;
    if (message.kind === 'notice') {
      return <NoticeLine message={message} side={side} sender={sender} withCard={newestNotices.has(message._id)} />;
    }
    return (
      <MessageBubble
        caption={captionOf(message.content, message.kind, contentsOf(message))}
        message={message.attachments.length > 0 || message.record ? message : undefined}
        writtenAt={message.createdAt}
        own={isOwnSide}
        sender={sender}
        showSender={showSenders && first && !isCurrentUser && message.from_admin}
        first={first}
        deliveryState={isOwnSide ? deliveryStateOf(message, side, conversation) : undefined}
        quote={message.reply_to ? message.quoted : undefined}
        currentUserId={currentUserId}
        messageId={message._id}
        ownerId={message.user_id}
        onQuote={onQuote}
        onOpenQuoted={onOpenQuoted}
        onOpenPhoto={onOpenPhoto}
        onRenew={onRenew}
      />
    );
  }

  return items.map((item) => (
    <div
      key={item.key}
      data-item={item.kind === 'day' || item.kind === 'unread' ? undefined : item.key}
      data-found={(item.kind === 'message' && item.message._id === foundId) || undefined}
      {...(item.kind === 'message'
        ? { 'data-message': item.message._id, tabIndex: -1, className: classes['item'] }
        : {})}
    >
      {renderItem(item)}
    </div>
  ));
}
