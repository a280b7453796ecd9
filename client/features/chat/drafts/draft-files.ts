import { useMemo } from 'react';
import { v4 as newFileId } from 'uuid';
import { readStored } from '#client/lib/storage/safe-storage.ts';
import { dropLocalFiles, keepLocalFile } from '../files/local-files.ts';
import { DRAFT_FILES_PREFIX, type OutboxFile, type PreparedFile, readFiles } from '../files/outbox-file.ts';
import { chatApi } from '../effects/api.ts';
import { useStoredText, writeStoredText } from './stored-text.ts';
import { removeUploads } from '../effects/uploads.ts';

const storageKeyOf = (currentUserId: string, userId: string): string =>
  `${DRAFT_FILES_PREFIX}${currentUserId}:${userId}`;

/** Said beside a file that could not be stored. */
export const NOT_KEPT_TEXT =
  'Peramban ini tidak dapat menyimpan berkas. Jangan tutup atau muat ulang halaman ini sampai pesan terkirim.';

/**
 * The files that were chosen for the next message of a conversation, in order. They survive a reload, and every tab of the
 * account shows them.
 */
export function draftFiles(currentUserId: string, userId: string) {
  const key = storageKeyOf(currentUserId, userId);
  const list = (): OutboxFile[] => readFiles(readStored(key));
  const write = (files: readonly OutboxFile[]): void =>
    writeStoredText(key, files.length > 0 ? JSON.stringify(files) : null);
  return {
    list,
    /**
     * Keeps a file; `isKept` of what it returns says whether a reload does.
     * @param id the id of the file; the id of its tile when the screen shows one already
     */
    async add({ file, thumb, width, height }: PreparedFile, id: string = newFileId()): Promise<OutboxFile> {
      const { name, type, size: bytes } = file;
      // The bytes first, so that no list names what is not there.
      const isKept = await keepLocalFile(currentUserId, id, file, thumb);
      const added = { id, name, type, bytes, width, height, hasThumb: thumb !== null, isKept, uploadedId: null };
      write([...list(), added]);
      return added;
    },
    remove(fileId: string): void {
      const files = list();
      write(files.filter(({ id }) => id !== fileId));
      // One that came back from the outbox may be at the server already.
      removeUploads(
        files.filter(({ id }) => id === fileId),
        chatApi,
      );
      dropLocalFiles(currentUserId, [fileId]);
    },
    /** Takes files out of the draft after they were handed to the outbox, which keeps their bytes; without `sent` all. */
    take(sent: readonly OutboxFile[] = list()): readonly OutboxFile[] {
      const sentIds = new Set(sent.map(({ id }) => id));
      // Another tab may have added one at this moment.
      write(list().filter(({ id }) => !sentIds.has(id)));
      return sent;
    },
    /** Puts the files of a message that was taken back from the outbox in front of what was chosen since. */
    putBack(files: readonly OutboxFile[]): void {
      const back = new Set(files.map(({ id }) => id));
      write([...files, ...list().filter(({ id }) => !back.has(id))]);
    },
  };
}

export function useDraftFiles(currentUserId: string, userId: string): readonly OutboxFile[] {
  const stored = useStoredText(storageKeyOf(currentUserId, userId));
  return useMemo(() => readFiles(stored), [stored]);
}
