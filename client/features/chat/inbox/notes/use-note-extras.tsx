import { useMemo } from 'react';
import type { Note } from '#shared/api/inbox.ts';
import type { ThreadExtra } from '../../thread/group-thread-items.ts';
import { NoteCard } from './note-card.tsx';

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
