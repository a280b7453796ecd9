import { expect, it } from 'vitest';
import { findLiveSession } from '#server/accounts/policy-queries.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { planOf, preparedTexts, queryPlans } from '#server/testing/query-plan.ts';
import { historyQueries } from './history-queries.ts';
import { countInbox, readConversations, readInboxDetails, type ConversationsFilter } from './list-queries.ts';
import { chatQueries } from './queries.ts';
import { createSearchQueries } from './search/search-queries.ts';
import { stateQueries } from './state/state-queries.ts';
import { readSnapshot } from '#server/db/engine.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';

/** Frequent queries are answered from an index: no full table scan, no sorting. */
const FULL_TABLE_SCAN = /SCAN (?!page\b)\w+\b(?! USING (?:COVERING )?INDEX)/;
const TEMPORARY_SORT = /TEMP B-TREE/;

const inbox = { adminId: 'x', nowMs: 0 };

async function buildChatWithMessage() {
  const chat = await buildChatApp();
  const [ratna, budi] = [buildAdmin(chat.test), buildTestUser(chat.test)];
  await chat.send(budi, ratna);
  return { ...chat, budi };
}

it.each<[string, Partial<ConversationsFilter>, RegExp]>([
  ['first page', {}, /USING INDEX conversations_latest/],
  ['a later page', { offset: 100 }, /USING INDEX conversations_latest/],
  ['unread', { unread: true }, /USING INDEX conversations_unread/],
  ['unanswered', { unanswered: true }, /USING INDEX conversations_unanswered/],
  ['all', { all: true }, /USING INDEX conversations_latest/],
  ['longest wait first', { unanswered: true, sort: 'waiting' }, /USING INDEX conversations_waiting/],
  ['waiting', { state: 'waiting', sort: 'waiting', inbox }, /USING INDEX conversations_waiting/],
  ['waiting, latest activity first', { state: 'waiting', inbox }, /USING INDEX conversations_(unanswered|latest)/],
  ['unclaimed', { state: 'unclaimed', sort: 'waiting', inbox }, /USING INDEX conversations_waiting/],
  // An empty first page needs no count.
  ['mine', { state: 'mine', inbox, offset: 1 }, /USING INDEX conversations_claimed/],
])('answers the list from an index: %s', async (_name, filter, index) => {
  const { test } = await buildChatWithMessage();
  const plans = await queryPlans(test, (orm) => readConversations(orm, { limit: 1, offset: 0, ...filter }));
  expect(plans[0]).toMatch(index);
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan).not.toMatch(FULL_TABLE_SCAN);
    expect(plan).not.toMatch(TEMPORARY_SORT);
  }
});

it('counts the filters of the inbox from their indexes alone, without the rows', async () => {
  const { test } = await buildChatWithMessage();
  const plans = await queryPlans(test, (orm) => readSnapshot(orm, (tx) => countInbox(tx, inbox)));
  expect(plans).toHaveLength(8);
  for (const plan of plans) expect(plan).not.toMatch(FULL_TABLE_SCAN);
  for (const index of ['waiting', 'unread', 'snoozed', 'claimed']) {
    expect(plans.some((plan) => plan.includes(`COVERING INDEX conversations_${index}`))).toBe(true);
  }
});

it('reads the names and notes beside a page from an index', async () => {
  const { test } = await buildChatWithMessage();
  const plans = await queryPlans(test, (orm) =>
    readSnapshot(orm, (tx) => readInboxDetails(tx, ['x', 'y'], ['x', 'z'])),
  );
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).not.toMatch(FULL_TABLE_SCAN);
});

it('answers every question about a state from an index', async () => {
  const { test } = await buildChatWithMessage();
  const plans = await queryPlans(test, async (orm) => {
    const queries = stateQueries(orm);
    await queries.findChatTime(1);
    await queries.findNewestChatId({ userId: 'x', clearedId: 0 });
    await queries.findWaitStart({ userId: 'x', clearedId: 0, dismissedId: 0 });
    await queries.findOtherAnswer('x', 0, 'y');
    await queries.listClaimed();
    await queries.listDueSnoozes(0, 1);
  });
  expect(plans).toHaveLength(7);
  for (const plan of plans) {
    expect(plan).not.toMatch(FULL_TABLE_SCAN);
    expect(plan).not.toMatch(TEMPORARY_SORT);
  }
});

it('sorts only the results of a search', async () => {
  const { test } = await buildChatWithMessage();
  const [plan] = await queryPlans(test, (orm) => readConversations(orm, { limit: 1, offset: 0, search: 'xyz' }));
  expect(plan).toMatch(/SEARCH conversations USING INDEX \w+ \(user_id=\?\)/);
  // Most users have a letter in their name, so the user of each conversation is looked up.
  const [short] = await queryPlans(test, (orm) => readConversations(orm, { limit: 1, offset: 0, search: 'x' }));
  expect(short).toMatch(/SEARCH users EXISTS USING INDEX sqlite_autoindex_users_1 \(id=\?\)/);
});

it('reads the messages before and after an id from an index', async () => {
  const { test } = await buildChatWithMessage();
  const plans = await queryPlans(test, async (orm) => {
    const queries = historyQueries(orm);
    const range = { userId: 'x', clearedId: 0, limit: 1, offset: 0 };
    await queries.readHistory(range);
    await queries.readHistory({ ...range, after: 1 });
    await queries.ordinalUpTo('x', true, 1);
  });
  expect(plans).toHaveLength(3);
  for (const plan of plans) expect(plan).toMatch(/^SEARCH messages USING (COVERING )?INDEX messages_conversation/);
  for (const plan of plans) expect(plan).not.toMatch(TEMPORARY_SORT);
});

it('answers all look-ups of a sent message from an index', async () => {
  const { test, budi } = await buildChatWithMessage();
  const plans = await queryPlans(test, async (orm) => {
    const queries = chatQueries(orm);
    await queries.findSentMessage('x', 'y');
    await queries.findMessage(1);
    await queries.findConversation('x');
    await queries.findUser('x');
    await queries.countUnreadForAdmins();
    await findLiveSession(orm, { id: budi.sessionId, nowMs: 0, idleSinceMs: 0, adminsNeedFactor: false });
  });
  expect(plans).toHaveLength(8);
  for (const plan of plans) expect(plan).not.toMatch(FULL_TABLE_SCAN);
  const sentBefore = plans.find((plan) => plan.includes('messages_client'));
  expect(sentBefore).toMatch(/USING INDEX messages_client \(sender_id=\? AND client_id=\?\)/);
  expect(plans.find((plan) => plan.includes('conversations_unread'))).toMatch(/COVERING INDEX conversations_unread/);
});

it('looks the persons and the messages of a search up one by one', async () => {
  const { test } = await buildChatWithMessage();
  const texts = await preparedTexts(test, async (orm) => {
    const queries = createSearchQueries(orm);
    await queries.findPersons(['x', 'y']);
    await queries.findNewestIds(['x', 'y'], 1);
    await queries.readNewestOfAll(['x', 'y'], 1)[Symbol.asyncIterator]().next();
  });
  const plans = texts.map((text) => planOf(test, text));
  expect(plans).toHaveLength(3);
  // The list of the wanted ids is read as a whole.
  for (const plan of plans) expect(plan.replaceAll('SCAN json_each', '')).not.toMatch(/SCAN|users_names/);
  expect(plans[1]).toContain('COVERING INDEX messages_conversation (user_id=? AND id>? AND id<?)');
  expect(plans[2]).toContain('INDEX messages_conversation (user_id=? AND id>? AND id<?)');
});
