import { readStored } from '#client/lib/storage/safe-storage.ts';
import { type OutboxEntry, typedTextOf } from '../state/model/outbox-entry.ts';
import type { ChatCurrentUser } from '../state/chat-state.ts';
import { changeDraft } from './drafts.ts';
import { quoteDraftKey, writeQuoteDraft } from './quote-drafts.ts';
import { draftFiles } from './draft-files.ts';
import { readRecordDraft, writeRecordDraft } from './record-draft.ts';

type TakeBackDeps = {
  currentUser: ChatCurrentUser;
  discard: (clientId: string, options: { keepFiles: boolean }) => void;
};

/**
 * Puts a message that the server refused back into its field, to be changed: the text before what was typed since, the files,
 * and the record and the quote unless others were chosen.
 */
export function takeBack({ currentUser, discard }: TakeBackDeps, entry: OutboxEntry): void {
  const { client_id, user_id, files, record, quote } = entry;
  const text = typedTextOf(entry);
  // First into the draft, then out of the outbox, so that it is never in neither.
  if (text !== '') {
    changeDraft(currentUser.id, user_id, 'answer', (typed) => (typed.trim() === '' ? text : `${text}\n${typed}`));
  }
  if (files.length > 0) draftFiles(currentUser.id, user_id).putBack(files);
  if (record && !readRecordDraft(currentUser.id, user_id)) writeRecordDraft(currentUser.id, user_id, record);
  if (quote && readStored(quoteDraftKey(currentUser.id, user_id)) === null) {
    writeQuoteDraft(currentUser.id, user_id, quote);
  }
  discard(client_id, { keepFiles: true });
}
