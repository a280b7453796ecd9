import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { readLocalFile } from '../files/local-files.ts';
import type { OutboxFile } from '../files/outbox-file.ts';
import { MissingFileError } from '../state/model/retry-policy.ts';
import type { ChatApi } from './api.ts';
import type { JobContext } from './runner.ts';

/**
 * The browser counts what it has handed to the network, which may take hundreds of kilobytes at once. So the last progress may
 * come long before the last byte is through; this is the slowest connection for which an upload still waits.
 */
const SLOWEST_BYTES_PER_SECOND = 4000;
const QUIET_MAX_MS = 120_000;

/** Uploads a file of an unsent message, with the small picture beside it. @returns its id at the server */
export async function uploadFile(
  { id, name, type, bytes, hasThumb }: OutboxFile,
  onProgress: (fraction: number) => void,
  { api, read, signal }: Pick<JobContext, 'api' | 'read' | 'signal'>,
): Promise<string> {
  const accountId = read().currentUser?.id ?? '';
  const [file, thumb] = await Promise.all([
    readLocalFile(accountId, id, 'file'),
    hasThumb ? readLocalFile(accountId, id, 'thumb') : null,
  ]);
  if (!file) throw new MissingFileError(name);
  const form = new FormData();
  // The text first: the server knows whose upload it is before it reads the file.
  form.append('client_id', id);
  form.append('file', new File([file], name, { type }));
  if (thumb) form.append('thumb', new File([thumb], 'kecil.jpg', { type: thumb.type }));
  const quietMs = Math.min(QUIET_MAX_MS, API_TIMEOUT_MS + (bytes / SLOWEST_BYTES_PER_SECOND) * 1000);
  const { id: uploadedId } = await api.uploadAttachment(form, { signal, onProgress, quietMs });
  return uploadedId;
}

/** Removes what was uploaded and will not be sent, so that it does not fill the account's places for unsent files. */
export function removeUploads(
  files: readonly Pick<OutboxFile, 'uploadedId'>[],
  api: Pick<ChatApi, 'removeUpload'>,
): void {
  for (const { uploadedId } of files) {
    // The server forgets it after a day anyway.
    if (uploadedId !== null) void api.removeUpload(uploadedId).catch(() => undefined);
  }
}
