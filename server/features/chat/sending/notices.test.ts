import { expect, it } from 'vitest';
import { CLAIM_IDLE_MS } from '#shared/limits.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildInboxApp } from '#server/testing/chat/inbox-app.ts';
import { writeNotice } from '#server/testing/chat/notices.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

async function buildOffice() {
  const app = await buildInboxApp();
  const { test } = app;
  const [ratna, sari] = [buildAdmin(test), buildAdmin(test, { name: 'Bu Sari' })];
  const [budi, wati] = [buildTestUser(test, { name: 'Budi' }), buildTestUser(test, { name: 'Wati' })];
  return { ...app, ratna, sari, budi, wati };
}

it('tells both sides of one conversation, with the card of the record, and counts as unread for the other side', async () => {
  const app = await buildOffice();
  const { test, send, see, history, list, ratna, sari, budi, wati } = app;
  const record = buildRecord(test, budi.id, { status: 'proses', amountSen: 4_500_000, amountSource: 'estimate' });
  const question = await send(budi, ratna);
  await see(ratna, budi.id);
  const tabs = await Promise.all([ratna, sari, budi, wati].map((one) => openTab(test, one)));
  await waitForPendingEvents(test, ...tabs);
  for (const tab of tabs) tab.clearReceived();

  await writeNotice(app, sari, budi, { content: 'Bukti tidak cocok: buram', recordId: record.id });
  await waitForPendingEvents(test, ...tabs);
  const [ofRatna, ofSari, ofBudi, ofWati] = tabs.map((tab) => tab.received());
  const card = { spt_number: record.sptNumber, amount: 45_000, amount_source: 'estimate', status: 'proses' };
  const notice = {
    kind: 'notice',
    sender_id: sari.id,
    sender_name: 'Bu Sari',
    from_admin: true,
    content: 'Bukti tidak cocok: buram',
    prev_id: question.id,
    // oxlint-disable-next-line unicorn/no-thenable
    record: { id: record.id, now: { ...card, has_proof: false, verification: { state: 'none' } }, then: card },
  };
  expect(ofBudi).toMatchObject([
    { event: 'message:new', payload: notice },
    { event: 'unread', payload: { unread_count: 1 } },
  ]);
  expect(ofRatna).toMatchObject([{ event: 'message:new', payload: notice }]);
  expect(ofSari).toEqual(ofRatna);
  expect(ofWati).toEqual([]);
  const { messages } = await history(budi, ratna.id);
  expect(messages.at(-1)).toEqual(ofBudi?.[0]?.payload);
  const preview = { kind: 'notice', content: notice.content, record_year: record.year, photos: 0, documents: 0 };
  for (const one of [ratna, budi]) expect((await list(one)).data[0]?.last_message).toMatchObject(preview);
  const found = await test.call('GET', '/api/admin/messages/search?q=buram', { token: ratna.token });
  expect(found.body.data).toMatchObject({ data: [{ message: notice }] });
  expect((await see(budi, ratna.id)).unread_count).toBe(0);
});

it('of a user is unread for the admins, and neither begins a wait nor ends a snooze', async () => {
  const app = await buildOffice();
  const { test, send, snooze, rowOf, list, ratna, budi } = app;
  await writeNotice(app, budi, budi);
  expect(await rowOf(ratna, budi)).toMatchObject({ unread_count: 1, state: 'done', unanswered_since: null });
  expect((await list(budi)).data[0]).toMatchObject({ unread_count: 0, unanswered_since: null });
  const question = await send(budi, ratna);
  const until = new Date(test.clock.now() + MINUTE_MS).toISOString();
  await snooze(ratna, budi, { until, up_to: question.id });
  await writeNotice(app, budi, budi);
  const row = await rowOf(ratna, budi);
  expect(row).toMatchObject({ unread_count: 3, state: 'snoozed', unanswered_since: question.created_at });
});

it('counts neither as the answer of a colleague nor for a dismissal, its undo or a claim', async () => {
  const app = await buildOffice();
  const { test, send, post, claim, dismiss, undoDismiss, rowOf, ratna, sari, budi } = app;
  await send(budi, ratna);
  const first = await send(budi, ratna);
  await writeNotice(app, sari, budi);
  // The screen of this admin does not show the notice yet.
  const dismissed = await dismiss(ratna, budi, { up_to: first.id });
  expect(dismissed.body.data).toMatchObject({ state: 'done' });
  await writeNotice(app, sari, budi);
  const newest = (await rowOf(ratna, budi))?.last_message?.id;
  expect((await dismiss(ratna, budi, { up_to: newest })).status).toBe(200);
  expect((await undoDismiss(ratna, budi)).body.data).toMatchObject({ state: 'waiting' });
  const answer = { to_user_id: budi.id, content: 'Sebentar', seen_id: first.id };
  expect((await post(ratna, answer)).status).toBe(201);
  expect((await post(sari, answer)).body.message).toBe('Ibu Ratna sudah membalas. Baca dulu sebelum mengirim.');

  // A claim ends when neither side writes for a while; notices do not prolong it.
  const tab = await openTab(test, ratna);
  await claim(ratna, budi);
  test.clock.advance(CLAIM_IDLE_MS - 1);
  await writeNotice(app, budi, budi);
  await writeNotice(app, sari, budi);
  expect(await rowOf(ratna, budi)).toMatchObject({ claimed_by: { id: ratna.id } });
  test.clock.advance(1);
  expect(await rowOf(ratna, budi)).toMatchObject({ claimed_by: null });
  tab.close();
});

it('changes neither the wait of a range that began before it nor what was incoming', async () => {
  const app = await buildOffice();
  const { test, send } = app;
  test.clock.set('2026-06-30T10:00:00Z');
  const [ratna, sari, budi] = [buildAdmin(test), buildAdmin(test), buildTestUser(test)];
  await send(budi, ratna);
  await writeNotice(app, sari, budi);
  await writeNotice(app, budi, budi);
  test.clock.set('2026-07-02T10:00:00Z');
  await send(ratna, budi);
  const statistics = await test.call('GET', '/api/admin/chat-statistics', { token: ratna.token });
  expect(statistics.body.data).toMatchObject({
    total: { incoming: 0, answered: 1, median_ms: 2 * 24 * 60 * MINUTE_MS },
  });
});

it('skips an account without a conversation in the inbox, and never shows the record of another', async () => {
  const app = await buildOffice();
  const { test, countStored, history, ratna, sari, budi, wati } = app;
  await writeNotice(app, ratna, sari);
  await writeNotice(app, ratna, { id: 'tidak-ada' });
  expect(countStored()).toBe(0);
  const record = buildRecord(test, wati.id);
  await writeNotice(app, ratna, budi, { recordId: record.id });
  await writeNotice(app, ratna, budi, { recordId: 'tidak-ada' });
  const { messages } = await history(budi, ratna.id);
  expect(messages.map((message) => message.record)).toEqual([null, null]);
});
