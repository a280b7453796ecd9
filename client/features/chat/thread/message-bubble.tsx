import { VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { formatTime } from '#shared/domain/date-labels.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { type DeliveryState, deliveryStateLabels } from './delivery-state.ts';
import { LinkedText } from './linked-text.tsx';
import classes from './message-bubble.module.css';

type Props = {
  content: string;
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
  const { content, writtenAt, own, sender, showSender = false, first = true, deliveryState, children } = props;
  return (
    <div className={classes['row']} data-own={own || undefined} data-first={first || undefined}>
      <div className={classes['bubble']} data-failed={deliveryState === 'failed' || undefined}>
        {showSender ? <span className={classes['sender']}>{sender}</span> : <VisuallyHidden>{sender}: </VisuallyHidden>}
        <span className={classes['text']} dir="auto">
          <LinkedText content={content} />
        </span>
        <span className={classes['meta']}>
          <time dateTime={writtenAt}>{formatTime(writtenAt, SERVER_TIME_ZONE)}</time>
          {deliveryState ? <DeliveryTicks delivery={deliveryState} /> : null}
        </span>
        {children}
      </div>
    </div>
  );
});
