import { useEffect, useMemo, useState } from 'react';
import { readLocalFile } from '../../../outbox/files/local-files.ts';
import type { OutboxFile } from '../../../outbox/files/outbox-file.ts';

/**
 * The files of a draft that this page cannot send: the browser has removed them, or another tab has them in its memory alone.
 * They stay in the draft until the user removes them.
 */
export function useMissingFiles(currentUserId: string, files: readonly OutboxFile[]): readonly OutboxFile[] {
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
