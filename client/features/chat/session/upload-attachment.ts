import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { readLocalFile } from '../outbox/files/local-files.ts';
import type { OutboxFile } from '../outbox/files/outbox-file.ts';
import type { UploadFile } from '../outbox/entry-uploads.ts';
import { MissingFileError } from '../outbox/retry-policy.ts';
import type { ChatApi } from './api.ts';

/**
 * The browser counts what it has handed to the network, which may take hundreds of kilobytes at once. So the last progress may
 * come long before the last byte is through; this is the slowest connection for which an upload still waits.
 */
const SLOWEST_BYTES_PER_SECOND = 4000;
const QUIET_MAX_MS = 120_000;

type Deps = {
  api: Pick<ChatApi, 'uploadAttachment'>;
  currentUserId: string;
  onCallSettled: (error?: unknown) => void;
};

/** Uploads a file of an unsent message, with the small picture beside it. */
export function createUploadAttachment({ api, currentUserId, onCallSettled }: Deps): UploadFile {
  return async ({ id, name, type, bytes, hasThumb }, { signal, onProgress }) => {
    const [file, thumb] = await Promise.all([
      readLocalFile(currentUserId, id, 'file'),
      hasThumb ? readLocalFile(currentUserId, id, 'thumb') : null,
    ]);
    if (!file) throw new MissingFileError(name);
    const form = new FormData();
    // The text first: the server knows whose upload it is before it reads the file.
    form.append('client_id', id);
    form.append('file', new File([file], name, { type }));
    if (thumb) form.append('thumb', new File([thumb], 'kecil.jpg', { type: thumb.type }));
    const quietMs = Math.min(QUIET_MAX_MS, API_TIMEOUT_MS + (bytes / SLOWEST_BYTES_PER_SECOND) * 1000);
    try {
      const { id: uploadedId } = await api.uploadAttachment(form, { signal, onProgress, quietMs });
      onCallSettled();
      return uploadedId;
    } catch (error) {
      if (!signal.aborted) onCallSettled(error);
      throw error;
    }
  };
}

/** @returns removes what was uploaded and will not be sent, so that it does not fill the account's places for unsent files */
export function createRemoveUploads(api: Pick<ChatApi, 'removeUpload'>) {
  return (files: readonly Pick<OutboxFile, 'uploadedId'>[]): void => {
    for (const { uploadedId } of files) {
      // The server forgets it after a day anyway.
      if (uploadedId !== null) void api.removeUpload(uploadedId).catch(() => undefined);
    }
  };
}
