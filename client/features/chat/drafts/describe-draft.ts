import { isPhoto } from '#shared/message-contents.ts';
import { readDraft } from './drafts.ts';
import { draftFiles } from './draft-files.ts';
import { readRecordDraft } from './record-draft.ts';

/** Describes the draft of a conversation: the typed words, else the attachments; '' for nothing. */
export function describeDraft(currentUserId: string, userId: string): string {
  const typed = readDraft(currentUserId, userId);
  if (typed.trim()) return typed;
  const files = draftFiles(currentUserId, userId).list();
  const record = readRecordDraft(currentUserId, userId);
  const isOnlyPhotos = files.every(({ type }) => isPhoto(type));
  return [
    ...(files.length > 0 ? [`${files.length} ${isOnlyPhotos ? 'foto' : 'berkas'}`] : []),
    ...(record ? [`data PBB ${record.year}`] : []),
  ].join(', ');
}
