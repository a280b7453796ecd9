import { VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconArrowBackUp, IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { Side } from '#shared/events.ts';
import { NumberOffers } from '../../cards/numbers/number-offers.tsx';
import type { OutboxEntry, Quote } from '../../state/model/outbox-entry.ts';
import { LinkedText } from './linked-text.tsx';
import classes from './message-bubble.module.css';
import { MessageContents, MessagePhotos, type RenewMessage, UnsentContents } from './message-contents.tsx';
import { QuotedBlock } from './quoted-block.tsx';
import { type Conversation, idNumberOf, otherSide } from '../../state/model/conversation.ts';

/** The read receipt of a message of this side, or its failure. */
type DeliveryState = 'waiting' | 'stored' | 'delivered' | 'read' | 'failed';

const deliveryStateLabels: Record<DeliveryState, string> = {
  waiting: 'Menunggu dikirim',
  stored: 'Terkirim',
  delivered: 'Diterima',
  read: 'Dibaca',
  failed: 'Gagal dikirim',
};

export function deliveryStateOf(message: Message, side: Side, { seen, delivered }: Conversation): DeliveryState {
  const other = otherSide(side);
  const id = idNumberOf(message);
  if (id <= seen[other]) return 'read';
  return id <= delivered[other] ? 'delivered' : 'stored';
}

type Props = {
  /** The typed text; '' if only files or a record were sent. */
  caption: string;
  /** A stored message with files or a record. */
  message?: Message | undefined;
  /** A message with files or a record that is not sent yet. */
  entry?: OutboxEntry | undefined;
  /** ISO date-time. */
  writtenAt: string;
  /** Written on this side: shown on the right. */
  own: boolean;
  /** The sender's name for screen readers; visible only with `showSender`. */
  sender: string;
  showSender?: boolean;
  /** First of a group of the same sender. */
  first?: boolean;
  /** Only for messages of this side. */
  deliveryState?: DeliveryState | undefined;
  /** The message that it quotes; null when that was deleted. */
  quote?: Quote | null | undefined;
  currentUserId: string;
  /** Quotes this message. The same function at every render, because a bubble is drawn only when something changes. */
  onQuote?: ((messageId: string) => void) | undefined;
  messageId?: string;
  /** Leads to the quoted message. */
  onOpenQuoted?: ((messageId: string) => void) | undefined;
  /** For a stored message: the user of its conversation. The text may name this user's records. */
  ownerId?: string | undefined;
  /** Opens a photo in full size, by the id of its file. */
  onOpenPhoto?: ((attachmentId: string) => void) | undefined;
  /** Reads a message again, because links to its files expire. */
  onRenew?: RenewMessage | undefined;
  /** Below the text: actions for a message that was not sent. */
  children?: ReactNode;
};

const deliveryIcons = {
  waiting: IconClock,
  stored: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
} as const;

/** Clock, one tick, two ticks, two coloured ticks, as users know them from other chats. */
function DeliveryTicks({ delivery: deliveryState }: { delivery: DeliveryState }) {
  const Icon = deliveryIcons[deliveryState];
  return (
    <span className={classes['ticks']} data-delivery={deliveryState}>
      <Icon size={deliveryState === 'waiting' ? 13 : 16} stroke={2.2} aria-hidden />
      <VisuallyHidden>{deliveryStateLabels[deliveryState]}</VisuallyHidden>
    </span>
  );
}

export const MessageBubble = memo(function MessageBubble(props: Props) {
  const {
    caption,
    message,
    entry,
    writtenAt,
    own,
    sender,
    showSender = false,
    first = true,
    deliveryState,
    children,
  } = props;
  const { quote, currentUserId, onQuote, messageId, onOpenQuoted, ownerId, onOpenPhoto, onRenew } = props;
  const hasContents = message !== undefined || entry !== undefined;
  return (
    <div className={classes['row']} data-own={own || undefined} data-first={first || undefined}>
      <div
        className={classes['bubble']}
        data-failed={deliveryState === 'failed' || undefined}
        data-contents={hasContents || undefined}
      >
        {showSender ? <span className={classes['sender']}>{sender}</span> : <VisuallyHidden>{sender}: </VisuallyHidden>}
        {quote === undefined ? null : <QuotedBlock quote={quote} currentUserId={currentUserId} onOpen={onOpenQuoted} />}
        <MessagePhotos message={message} entry={entry} sender={sender} onOpen={onOpenPhoto} onRenew={onRenew} />
        {message ? <MessageContents message={message} sender={sender} onRenew={onRenew} /> : null}
        {entry ? <UnsentContents entry={entry} /> : null}
        {caption === '' ? null : (
          <span className={classes['text']} dir="auto">
            <LinkedText content={caption} />
          </span>
        )}
        <span className={classes['meta']}>
          <time dateTime={writtenAt}>{formatTime(writtenAt, SERVER_TIME_ZONE)}</time>
          {deliveryState ? <DeliveryTicks delivery={deliveryState} /> : null}
        </span>
        {ownerId === undefined ? null : (
          <NumberOffers text={caption} userId={ownerId} shownRecordId={message?.record?.id ?? null} />
        )}
        {children}
      </div>
      {onQuote && messageId !== undefined ? (
        // Not in the order of Tab, which would stop at each message: the key K does the same on a focused message.
        <button
          type="button"
          tabIndex={-1}
          className={classes['quoteButton']}
          aria-label={`Kutip pesan ${sender}`}
          title="Kutip"
          onClick={() => onQuote(messageId)}
        >
          <IconArrowBackUp size={20} aria-hidden />
        </button>
      ) : null}
    </div>
  );
});
