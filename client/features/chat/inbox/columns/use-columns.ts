import { useEffect, useState } from 'react';
import { COLUMNS_MAX } from '#shared/limits.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { OpenOptions, useInboxParams } from '../use-inbox-params.ts';
import {
  closeColumn,
  type Columns,
  focusedUserId,
  openBeside,
  openInFocused,
  openInstead,
  withFocusOn,
} from './columns.ts';

/** Of this tab only: which conversation had the focus before a reload. */
const FOCUS_KEY = 'pbb-inbox-focus';

function readStoredFocus(): string {
  try {
    return window.sessionStorage.getItem(FOCUS_KEY) ?? '';
  } catch {
    // Without access to the storage the first conversation has the focus.
    return '';
  }
}

function storeFocus(userId: string | null): void {
  try {
    if (userId === null) window.sessionStorage.removeItem(FOCUS_KEY);
    else window.sessionStorage.setItem(FOCUS_KEY, userId);
  } catch {
    // As above.
  }
}

/** The open conversations: their order is in the URL, their focus only in this tab. */
export function useColumns(params: ReturnType<typeof useInboxParams>) {
  // By its id, and by its place where the address does not name it yet, or no more.
  const [wanted, setWanted] = useState(() => ({ userId: readStoredFocus(), index: 0 }));
  const { userIds } = params;
  const known = userIds.indexOf(wanted.userId);
  const columns: Columns = {
    userIds,
    focused: known === -1 ? Math.min(wanted.index, Math.max(0, userIds.length - 1)) : known,
  };
  const focusedId = focusedUserId(columns);
  useEffect(() => storeFocus(focusedId), [focusedId]);

  /** @returns the conversation that has the focus then */
  function show(next: Columns, options?: OpenOptions): string | null {
    const nextId = focusedUserId(next);
    setWanted({ userId: nextId ?? '', index: next.focused });
    params.setUserIds(next.userIds, options);
    return nextId;
  }

  return {
    userIds,
    /** The conversation to which the keys apply, or null. */
    focusedId,
    focus: (userId: string): string | null => show(withFocusOn(columns, userId) ?? columns),
    /** In the place of the focused conversation. */
    open: (userId: string, options?: OpenOptions): string | null => show(openInFocused(columns, userId), options),
    /** In the place of a certain conversation, from which the focus may have gone meanwhile. */
    openInstead: (userId: string, nextId: string): string | null => show(openInstead(columns, userId, nextId)),
    openBeside(userId: string): string | null {
      const next = openBeside(columns, userId);
      if (next) return show(next);
      notify.info(`Paling banyak ${COLUMNS_MAX} percakapan berdampingan. Tutup salah satu dulu.`);
      return null;
    },
    close(userId: string): string | null {
      if (userIds.length > 1) return show(closeColumn(columns, userId));
      params.close();
      return null;
    },
    closeOthers: (userId: string): string | null => show({ userIds: [userId], focused: 0 }),
  };
}
