import { useState } from 'react';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { compareSortKeys, type ListFilter, orderOf, type SortKey, sortKeyOf } from '../../session/list/list-order.ts';

const idOf = ({ other_user }: ConversationSummary): string => other_user._id;

/** Inserts one conversation where it stood before, unless the list has it already. */
export function withPinned(
  summaries: readonly ConversationSummary[],
  pinned: ConversationSummary | undefined,
  key: SortKey | null,
): readonly ConversationSummary[] {
  if (!pinned || !key || summaries.some((summary) => idOf(summary) === idOf(pinned))) return summaries;
  const below = summaries.findIndex((summary) => compareSortKeys(sortKeyOf(summary, key.order), key) > 0);
  return below === -1 ? [...summaries, pinned] : summaries.toSpliced(below, 0, pinned);
}

type Pin = { id: string; only: string; search: string; key: SortKey };

/**
 * The conversation that stays in a filtered list although the filter no longer matches it: the open one, if the list had it
 * while it was open. Otherwise its row would disappear under the pointer, because opening marks it as read and answering ends
 * the wait.
 * @returns the key of its last place in the list
 */
export function usePinnedKey(
  summaries: readonly ConversationSummary[],
  { only, search }: ListFilter,
  selectedId: string | null,
): SortKey | null {
  const [pin, setPin] = useState<Pin | null>(null);
  const isPinned = pin !== null && pin.id === selectedId && pin.only === only && pin.search === search;
  const listed = selectedId === null ? undefined : summaries.find((summary) => idOf(summary) === selectedId);
  if (listed && selectedId !== null) {
    const key = sortKeyOf(listed, orderOf(only));
    if (!isPinned || pin.key.rank !== key.rank) setPin({ id: selectedId, only, search, key });
    return key;
  }
  if (isPinned) return pin.key;
  if (pin !== null) setPin(null);
  return null;
}
