import { useState } from 'react';

type State = {
  /** The list to which it belongs: another filter or search ends the selection. */
  listKey: string;
  /** Chosen with 'Pilih'; also without a selected row. */
  isOn: boolean;
  userIds: ReadonlySet<string>;
  /** The row that was toggled last, from which a range is counted. */
  anchorId: string | null;
};

const none: ReadonlySet<string> = new Set();

/** The selected rows of the inbox list. A row that leaves the list is no longer selected. */
export function useRowSelection(listKey: string, order: readonly string[]) {
  const empty: State = { listKey, isOn: false, userIds: none, anchorId: null };
  const [state, setState] = useState<State>(empty);
  const { isOn, userIds: allUserIds } = state.listKey === listKey ? state : empty;
  const userIds = allUserIds.size === 0 ? [] : order.filter((id) => allUserIds.has(id));

  function change(apply: (current: State) => Partial<State>): void {
    setState((last) => {
      const current = last.listKey === listKey ? last : empty;
      return { ...current, ...apply(current) };
    });
  }

  return {
    userIds,
    has: (userId: string): boolean => allUserIds.has(userId),
    /** Whether a press on a row selects it instead of opening it. */
    isOn: isOn || userIds.length > 0,
    setOn: (next: boolean): void => setState({ ...empty, isOn: next }),
    /** `range`: all rows from the last toggled one take the new state of this one. @param shown the order on the screen */
    toggle(
      userId: string,
      { range = false, shown = order }: { range?: boolean; shown?: readonly string[] } = {},
    ): void {
      change((current) => {
        const next = new Set(current.userIds);
        const isSelected = !next.has(userId);
        for (const id of range ? rangeBetween(shown, current.anchorId, userId) : [userId]) {
          if (isSelected) next.add(id);
          else next.delete(id);
        }
        return { userIds: next, anchorId: userId };
      });
    },
    remove(removed: readonly string[]): void {
      change((current) => {
        const next = new Set([...current.userIds].filter((id) => !removed.includes(id)));
        return { isOn: current.isOn && next.size > 0, userIds: next };
      });
    },
  };
}
export type RowSelection = ReturnType<typeof useRowSelection>;

/** The rows from the anchor to a row; only the row itself without an anchor. */
function rangeBetween(order: readonly string[], anchorId: string | null, userId: string): readonly string[] {
  const [from, to] = [order.indexOf(anchorId ?? ''), order.indexOf(userId)];
  return from < 0 || to < 0 ? [userId] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
}
