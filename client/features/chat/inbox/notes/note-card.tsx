import { IconLock } from '@tabler/icons-react';
import { type ReactNode, memo, useMemo } from 'react';
import { SERVER_TIME_ZONE, showDateShort } from '#client/lib/format.ts';
import type { Note } from '#shared/api/chat/inbox.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { LinkedText } from '../../thread/bubble/linked-text.tsx';
import classes from './notes.module.css';
import type { ThreadExtra } from '../../thread/group-thread-items.ts';

type Props = {
  note: Note;
  /** Whether to show the date, because no separator of days stands above it. */
  withDate?: boolean;
  children?: ReactNode;
};

/** A note: unlike a message in colour, shape and words, so that nobody takes it for an answer. */
export const NoteCard = memo(function NoteCard({ note, withDate = false, children }: Props) {
  const time = formatTime(note.createdAt, SERVER_TIME_ZONE);
  return (
    <article className={`${classes['note']} no-print`} aria-label={`Catatan internal dari ${note.author.name}`}>
      <p className={classes['label']}>
        <IconLock size={14} aria-hidden />
        <span>Catatan internal</span>
        <span className={classes['author']}>{note.author.name}</span>
        {note.for ? (
          <span className={classes['author']}>
            untuk {note.for.name}
            {note.seen_at === null ? ' · belum dibuka' : ''}
          </span>
        ) : null}
        <time dateTime={note.createdAt}>{withDate ? `${showDateShort(note.createdAt)} ${time}` : time}</time>
      </p>
      <p className={classes['text']} dir="auto">
        <LinkedText content={note.content} />
      </p>
      {children}
    </article>
  );
});

const noNotes: readonly Note[] = [];

/** The notes as they stand between the messages of the inbox. The widget of a user never gets them. */
export function useNoteExtras(notes: readonly Note[] = noNotes): readonly ThreadExtra[] {
  return useMemo(
    () =>
      notes.map((note) => ({
        key: `note ${note.id}`,
        atMs: Date.parse(note.createdAt),
        node: <NoteCard note={note} />,
      })),
    [notes],
  );
}
