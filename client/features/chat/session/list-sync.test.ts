import { createStore } from 'jotai';
import { expect, it } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat.ts';
import {
  applyRowsToList,
  applyUnreadToList,
  emptyConversationList,
  visibleSummaries,
} from './conversation-list-state.ts';
import { createListSync } from './list-sync.ts';
import { listAtom } from './state.ts';
import { buildMessage, buildSummary } from '../testing/build-chat-data.ts';

const filter = { search: '', only: 'unread' as const };

it('misses no row of a filtered list whose rows leave the filter while it is loaded', async () => {
  const rows: ConversationSummary[] = Array.from({ length: 350 }, (_, index) =>
    buildSummary(`u${index}`, buildMessage({ number: 1000 - index, from_admin: false }), { unread_count: 1 }),
  );
  const store = createStore();
  const sync = createListSync({
    store,
    api: {
      fetchConversations: ({ limit, page }) => {
        const unread = rows.filter(({ unread_count }) => unread_count > 0);
        return Promise.resolve({ data: structuredClone(unread.slice((page - 1) * limit, page * limit)) });
      },
    },
    onCallSettled: () => {},
    onNewerRows: () => {},
  });
  await sync.refresh(filter);
  await sync.readMore(filter);
  for (const row of rows.slice(0, 40)) {
    row.unread_count = 0;
    const unread = { user_id: row.other_user._id, unread_count: 0, total_unread: 0 };
    store.set(listAtom, applyUnreadToList(store.get(listAtom), unread));
  }
  for (let page = 0; page < 6; page += 1) await sync.readMore(filter);
  const shown = visibleSummaries(store.get(listAtom), filter, null).map(({ other_user }) => other_user._id);
  expect(shown).toEqual(rows.slice(40).map(({ other_user }) => other_user._id));
});

it('inserts many rows at the same places as one by one', () => {
  const build = (number: number) => buildSummary(`u${number % 97}`, buildMessage({ number, from_admin: false }));
  const pages = [build(300), build(20), build(150), build(117), build(400), build(209)];
  const together = applyRowsToList(applyRowsToList(emptyConversationList, pages.slice(0, 3), 0), pages.slice(3), 0);
  const single = pages.reduce((list, row) => applyRowsToList(list, [row], 0), emptyConversationList);
  expect(together).toEqual(single);
  expect(together.order).toEqual(['u12', 'u9', 'u15', 'u53', 'u20']);
});
