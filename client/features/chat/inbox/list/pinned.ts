import { useState } from 'react';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { compareSortKeys, type ListFilter, sortKeyOf } from '../../session/list-order.ts';

/** Inserts one conversation at its place, unless the list has it already. */
export function withPinned(
  summaries: readonly ConversationSummary[],
  pinned: ConversationSummary | undefined,
): readonly ConversationSummary[] {
  if (!pinned || summaries.some(({ other_user }) => other_user._id === pinned.other_user._id)) return summaries;
  const key = sortKeyOf(pinned, 'activity');
  const below = summaries.findIndex((summary) => compareSortKeys(sortKeyOf(summary, 'activity'), key) > 0);
  return below === -1 ? [...summaries, pinned] : summaries.toSpliced(below, 0, pinned);
}

/**
 * The conversation that stays in a filtered list although the filter no longer matches it: the open one, if the list had it
 * when it was opened. Otherwise its row would disappear under the pointer, because opening marks it as read.
 */
export function usePinnedId(
  summaries: readonly ConversationSummary[],
  filter: ListFilter,
  selectedId: string | null,
): string | null {
  const [pin, setPin] = useState<{ id: string; only: string; search: string } | null>(null);
  const isStillPinned =
    pin !== null && pin.id === selectedId && pin.only === filter.only && pin.search === filter.search;
  if (isStillPinned) return pin.id;
  const isListed = selectedId !== null && summaries.some(({ other_user }) => other_user._id === selectedId);
  if (isListed) setPin({ id: selectedId, ...filter });
  else if (pin !== null) setPin(null);
  return isListed ? selectedId : null;
}
