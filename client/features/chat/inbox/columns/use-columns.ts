import { useEffect, useState } from 'react';
import { COLUMNS_MAX } from '#shared/limits.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import type { OpenOptions, useInboxParams } from '../use-inbox-params.ts';

type ColumnShortcuts = {
  /** With one conversation the keys belong to the browser. */
  count: number;
  /** Moves the focus to a conversation, counted from 0 at the left. */
  focusColumn: (index: number) => void;
  closeOthers: () => void;
};

const DIGIT_KEY = /^Digit(\d)$/;

/**
 * Ctrl+1…4 and Alt+1…4 lead to a conversation, Alt+0 closes the others. Both, because a browser may keep one of them for its
 * tabs. By `code`, not by `key`: with Alt a key writes another character on some keyboards.
 */
export function useColumnShortcuts({ count, focusColumn, closeOthers }: ColumnShortcuts): void {
  usePageKeys(
    (event) => {
      const { code, ctrlKey, altKey, metaKey, shiftKey } = event;
      const number = DIGIT_KEY.exec(code)?.[1];
      if (number === undefined || ctrlKey === altKey || metaKey || shiftKey) return;
      // AltGr writes a character.
      if (event.getModifierState('AltGraph')) return;
      const index = Number(number) - 1;
      if (index >= 0 && index < count) focusColumn(index);
      else if (index === -1 && altKey) closeOthers();
      else return;
      event.preventDefault();
    },
    { inFields: true, wanted: count >= 2 },
  );
}

/** The open conversations, by their users' ids from left to right, and which of them has, or last had, the focus. */
type Columns = { userIds: readonly string[]; focused: number };

export function focusedUserId({ userIds, focused }: Columns): string | null {
  return userIds[focused] ?? userIds.at(-1) ?? null;
}

/** @returns null where it is not open */
function withFocusOn(columns: Columns, userId: string): Columns | null {
  const index = columns.userIds.indexOf(userId);
  return index === -1 ? null : { ...columns, focused: index };
}

/** Opens a conversation in the place of the focused one; where it is open already, it only gets the focus. */
export function openInFocused(columns: Columns, userId: string): Columns {
  const known = withFocusOn(columns, userId);
  if (known) return known;
  const { userIds } = columns;
  if (userIds.length === 0) return { userIds: [userId], focused: 0 };
  const index = Math.min(columns.focused, userIds.length - 1);
  return { userIds: userIds.with(index, userId), focused: index };
}

/** Opens a conversation in the place of another one; the focus follows only if the other one had it. */
export function openInstead(columns: Columns, userId: string, nextId: string): Columns {
  const index = columns.userIds.indexOf(userId);
  if (index === columns.focused || index === -1) return openInFocused(columns, nextId);
  if (columns.userIds.includes(nextId)) return columns;
  return { ...columns, userIds: columns.userIds.with(index, nextId) };
}

/** Opens a conversation at the right of the others. @returns null where there is no place for another one */
export function openBeside(columns: Columns, userId: string): Columns | null {
  const known = withFocusOn(columns, userId);
  if (known) return known;
  if (columns.userIds.length >= COLUMNS_MAX) return null;
  return { userIds: [...columns.userIds, userId], focused: columns.userIds.length };
}

/** The focus stays where it is; from a closed conversation it goes to the one that takes its place. */
export function closeColumn(columns: Columns, userId: string): Columns {
  const index = columns.userIds.indexOf(userId);
  if (index === -1) return columns;
  const userIds = columns.userIds.toSpliced(index, 1);
  const focused = index < columns.focused ? columns.focused - 1 : columns.focused;
  return { userIds, focused: Math.max(0, Math.min(focused, userIds.length - 1)) };
}

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
