import { VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { formatTime } from '#shared/domain/date-labels.ts';
import { OFFICE_TIME_ZONE } from '#client/lib/format.ts';
import type { Delivery } from './delivery.ts';
import { LinkedText } from './linked-text.tsx';
import classes from './message-bubble.module.css';
import { Ticks } from './ticks.tsx';

type Props = {
  content: string;
  /** ISO date-time. */
  at: string;
  /** Written on this side: it stands on the right. */
  own: boolean;
  /** Who wrote it, as screen readers hear it; shown as well with `showSender`. */
  sender: string;
  showSender?: boolean;
  /** First of a run of the same sender. */
  first?: boolean;
  /** Only for messages of this side. */
  delivery?: Delivery | undefined;
  /** Below the text: what can be done about a message that was not sent. */
  children?: ReactNode;
};

/** One message. */
export const MessageBubble = memo(function MessageBubble(props: Props) {
  const { content, at, own, sender, showSender = false, first = true, delivery, children } = props;
  return (
    <div className={classes['row']} data-own={own || undefined} data-first={first || undefined}>
      <div className={classes['bubble']} data-failed={delivery === 'failed' || undefined}>
        {showSender ? <span className={classes['sender']}>{sender}</span> : <VisuallyHidden>{sender}: </VisuallyHidden>}
        <span className={classes['text']} dir="auto">
          <LinkedText content={content} />
        </span>
        <span className={classes['meta']}>
          <time dateTime={at}>{formatTime(at, OFFICE_TIME_ZONE)}</time>
          {delivery ? <Ticks delivery={delivery} /> : null}
        </span>
        {children}
      </div>
    </div>
  );
});
