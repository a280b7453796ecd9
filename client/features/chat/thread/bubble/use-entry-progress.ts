import { useAtomValue } from 'jotai';
import { findHolding, type OutboxEntry } from '../../state/model/outbox-entry.ts';
import { outboxAtom, type UploadProgress, uploadProgressAtom } from '../../state/selectors.ts';

/** How far an unsent message is; `behindFiles`: it waits until the files of one before it are at the server. */
export type EntryProgress = UploadProgress | { kind: 'waiting'; behindFiles: boolean };

export function useEntryProgress(entry: OutboxEntry): EntryProgress {
  const own = useAtomValue(uploadProgressAtom)[entry.client_id];
  const behindFiles = findHolding(useAtomValue(outboxAtom), entry) !== undefined;
  return own ?? { kind: 'waiting', behindFiles };
}

/** In words, for the bubble. */
export function progressText(progress: EntryProgress): string {
  if (progress.kind === 'uploading') return `Mengunggah ${progress.percent} %`;
  if (progress.kind === 'sending') return 'Mengirim…';
  return progress.behindFiles ? 'Menunggu berkas sebelumnya terkirim' : 'Menunggu dikirim';
}
