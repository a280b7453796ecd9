import { atom, useAtomValue } from 'jotai';
import { useMemo, useEffect, useState } from 'react';
import { useRecordDraft, writeRecordDraft } from '../../drafts/record-draft.ts';
import { draftFiles, useDraftFiles } from '../../drafts/draft-files.ts';
import type { OutboxFile } from '../../files/outbox-file.ts';
import {
  activityKeyOf,
  announce,
  attachFiles,
  dismissRefusals,
  draftActivitiesAtom,
  idleActivity,
} from './preparing-files.ts';
import { readLocalFile } from '../../files/local-files.ts';

/**
 * The files of a draft that this page cannot send: the browser has removed them, or another tab has them in its memory alone.
 * They stay in the draft until the user removes them.
 */
function useMissingFiles(currentUserId: string, files: readonly OutboxFile[]): readonly OutboxFile[] {
  const [missingIds, setMissingIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isOver = false;
    async function look(id: string): Promise<void> {
      const file = await readLocalFile(currentUserId, id, 'file');
      if (!isOver && !file) setMissingIds((known) => new Set([...known, id]));
    }
    for (const { id } of files) void look(id);
    return () => {
      isOver = true;
    };
  }, [currentUserId, files]);
  return useMemo(() => files.filter(({ id }) => missingIds.has(id)), [files, missingIds]);
}

/** The files and the record that the next message of a conversation carries. */
export function useAttachments(currentUserId: string, userId: string) {
  const key = activityKeyOf(currentUserId, userId);
  const files = useDraftFiles(currentUserId, userId);
  const record = useRecordDraft(currentUserId, userId);
  const activity = useAtomValue(useMemo(() => atom((get) => get(draftActivitiesAtom)[key] ?? idleActivity), [key]));
  const missing = useMissingFiles(currentUserId, files);
  return {
    ...activity,
    files,
    // One that is in the draft is shown there, although its preparation may end a moment later.
    preparing: activity.preparing.filter(({ id }) => !files.some((file) => file.id === id)),
    record,
    /** Files that cannot be sent from here. */
    missing,
    /** Whether a reload keeps all files. */
    isKept: files.every((file) => file.isKept),
    add: (chosen: readonly File[]): void => attachFiles(currentUserId, userId, chosen),
    remove(file: OutboxFile): void {
      draftFiles(currentUserId, userId).remove(file.id);
      announce(key, `${file.name} dihapus dari lampiran.`);
    },
    removeRecord: (): void => writeRecordDraft(currentUserId, userId, null),
    dismissRefusals: (): void => dismissRefusals(key),
  };
}
export type Attachments = ReturnType<typeof useAttachments>;
