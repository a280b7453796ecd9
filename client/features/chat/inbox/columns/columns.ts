import { COLUMNS_MAX } from '#shared/limits.ts';

/** The open conversations, by their users' ids from left to right, and which of them has, or last had, the focus. */
export type Columns = { userIds: readonly string[]; focused: number };

export function focusedUserId({ userIds, focused }: Columns): string | null {
  return userIds[focused] ?? userIds.at(-1) ?? null;
}

/** @returns null where it is not open */
export function withFocusOn(columns: Columns, userId: string): Columns | null {
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
