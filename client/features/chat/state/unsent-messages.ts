import { writeContent } from '#shared/message-contents.ts';
import type { OutboxFile } from '../files/outbox-file.ts';
import type { ChatState, Now } from './chat-state.ts';
import type { EventOf } from './events.ts';
import { CANCELLED_TEXT, type OutboxEntry, typedTextOf } from './model/outbox-entry.ts';
import { addFileJob, findEntry, putEntry, removeEntry } from './outbox-entries.ts';
import { listUserIds, sendNext } from './sending.ts';

/** The acts of a user on messages that are not sent. */

/** For another try, without what the last one has said. */
const asWaiting = (entry: OutboxEntry): OutboxEntry => ({
  ...entry,
  state: 'waiting',
  serverError: false,
  reason: '',
  refusedFileId: null,
});

export function sendAgain(state: ChatState, { clientId }: { clientId: string }, now: Now): ChatState {
  const entry = findEntry(state, clientId);
  if (!entry || entry.isHeld) return state;
  const shown = asWaiting(entry);
  // A message that waits may be on its way right now, under the claim of this tab or another.
  const own = entry.state === 'waiting' ? shown : { ...shown, busyBy: state.tabId, busyUntil: 0 };
  return sendNext(putEntry(state, own), entry.user_id, now);
}

/** Tries everything at once, also what was refused; what is held stays. */
export function sendAll(state: ChatState, now: Now): ChatState {
  const failed = state.outbox.filter((entry) => entry.state === 'failed');
  const tried = failed.reduce((next, { client_id: clientId }) => sendAgain(next, { clientId }, now), state);
  return listUserIds(tried).reduce((next, userId) => sendNext(next, userId, now), tried);
}

/** Sends a held message after all, under the same `client_id`; `seenId`: up to which message it was read now. */
export function sendHeld(state: ChatState, { clientId, seenId }: EventOf<'user.sendsHeld'>, now: Now): ChatState {
  const entry = findEntry(state, clientId);
  if (!entry?.isHeld) return state;
  const own: OutboxEntry = { ...asWaiting(entry), isHeld: false, seen_id: seenId, busyBy: state.tabId, busyUntil: 0 };
  return sendNext(putEntry(state, own), entry.user_id, now);
}

/** `keepsFiles`: its files go back into the draft, so their bytes stay. */
export function discard(state: ChatState, { clientId, keepsFiles }: EventOf<'user.discards'>, now: Now): ChatState {
  const entry = findEntry(state, clientId);
  if (!entry) return state;
  const removed = removeEntry(state, clientId);
  return sendNext(keepsFiles ? removed : addFileJob(removed, 'dropped', entry.files), entry.user_id, now);
}

/** Stops an upload. The message stays, with its files, until the user sends or discards it; what follows goes on. */
export function cancelUpload(state: ChatState, { clientId }: EventOf<'user.cancelsUpload'>, now: Now): ChatState {
  const entry = findEntry(state, clientId);
  const current = entry && state.inFlight[entry.user_id];
  // Once the message itself is on its way, this tab cannot know whether it arrives.
  const isOnItsWay = current?.clientId === clientId && (current.step === 'sending' || current.step === 'loading');
  if (entry?.state !== 'waiting' || isOnItsWay) return state;
  const cancelled: OutboxEntry = {
    ...asWaiting(entry),
    state: 'failed',
    reason: CANCELLED_TEXT,
    busyBy: '',
    busyUntil: 0,
  };
  return sendNext(putEntry(state, cancelled), entry.user_id, now);
}

/** Takes one file out of a message that was not sent. Without the one that was refused the rest goes on by itself. */
export function removeFile(state: ChatState, { clientId, fileId }: EventOf<'user.removesFile'>, now: Now): ChatState {
  const entry = findEntry(state, clientId);
  if (entry?.state !== 'failed') return state;
  const files: readonly OutboxFile[] = entry.files.filter(({ id }) => id !== fileId);
  const typed = typedTextOf(entry);
  if (typed === '' && files.length === 0 && !entry.record) {
    return discard(state, { type: 'user.discards', clientId, keepsFiles: false }, now);
  }
  // The place in local storage stays the same.
  const rest = { ...entry, files, followsFiles: true, content: writeContent(typed, files, entry.record) };
  const goesOn = fileId === entry.refusedFileId;
  const changed = putEntry(state, goesOn ? { ...asWaiting(rest), busyBy: state.tabId, busyUntil: 0 } : rest);
  const dropped = addFileJob(
    changed,
    'dropped',
    entry.files.filter(({ id }) => id === fileId),
  );
  return goesOn ? sendNext(dropped, entry.user_id, now) : dropped;
}
