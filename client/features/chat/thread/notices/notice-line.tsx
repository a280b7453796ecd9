import { VisuallyHidden } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Message } from '#shared/api/chat/chat.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import type { Side } from '#shared/events.ts';
import { captionOf, contentsOf } from '#shared/message-contents.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { RecordCardView } from '../../cards/record-card.tsx';
import { LinkedText } from '../bubble/linked-text.tsx';
import classes from './notice-line.module.css';

type Props = {
  message: Message;
  side: Side;
  /** The name of the sender: 'Anda', 'Sari'. */
  sender: string;
  /** With the card of its record, which then needs no link. */
  withCard: boolean;
};

/** A notice in the middle of the thread (R-FILE-54). It cannot be quoted. */
export const NoticeLine = memo(function NoticeLine({ message, side, sender, withCard }: Props) {
  const { content, kind, record, createdAt } = message;
  const path = record && (side === 'admin' ? paths.adminRecord(record.id) : paths.record(record.id));
  return (
    <div className={classes['line']}>
      <p className={classes['notice']}>
        <IconInfoCircle size={16} className={classes['icon'] ?? ''} aria-hidden />
        <span className={classes['text']}>
          <VisuallyHidden>Pemberitahuan: </VisuallyHidden>
          <span dir="auto">
            <LinkedText content={captionOf(content, kind, contentsOf(message))} />
          </span>{' '}
          {record?.now && path && !withCard ? (
            <Link to={path} className={classes['record'] ?? ''}>
              Buka PBB {record.now.year}
            </Link>
          ) : null}{' '}
          <span className={classes['meta']}>
            {sender} · <time dateTime={createdAt}>{formatTime(createdAt, SERVER_TIME_ZONE)}</time>
          </span>
        </span>
      </p>
      {record && withCard ? (
        <div className={classes['card']}>
          <RecordCardView card={record} message={message} />
        </div>
      ) : null}
    </div>
  );
});
