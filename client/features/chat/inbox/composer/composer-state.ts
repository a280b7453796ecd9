import { atom, getDefaultStore } from 'jotai';
import { onSessionChange } from '#client/lib/session/session.ts';
import type { DraftMode } from '../../drafts/drafts.ts';

/**
 * The mode of the field in each conversation, by its user. Not stored: after a reload the field is for answers again, and a
 * note that was begun waits in its own mode.
 */
export const composerModesAtom = atom<Readonly<Record<string, DraftMode>>>({});

export type NoteState = { isBusy: boolean; error: string | null };
/** Notes that are being stored, by the conversation's user, also while another conversation is open. */
export const noteStatesAtom = atom<Readonly<Record<string, NoteState>>>({});

onSessionChange(() => {
  getDefaultStore().set(composerModesAtom, {});
  getDefaultStore().set(noteStatesAtom, {});
});
