import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { buildAdmin, buildTestUser, ownPassword } from '#server/testing/factories.ts';
import { buildInboxApp } from '#server/testing/chat/inbox-app.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

async function buildInbox() {
  const app = await buildInboxApp();
  const ratna = buildAdmin(app.test);
  const fitri = buildAdmin(app.test, { name: 'Fitri' });
  const budi = buildTestUser(app.test, { name: 'Budi' });
  const inMs = (ms: number): string => new Date(app.test.clock.now() + ms).toISOString();
  return { ...app, ratna, fitri, budi, inMs };
}

describe('a dismissal', () => {
  it('ends the wait and the own claim, until the next message of the user', async () => {
    const { send, claim, dismiss, stateOf, countsOf, listIds, test, ratna, budi } = await buildInbox();
    const { id } = await send(budi, ratna, 'Terima kasih');
    await claim(ratna, budi);
    const state = await stateOf(dismiss(ratna, budi, { up_to: id }));
    expect(state).toMatchObject({ state: 'done', claimed_by: null, unanswered_since: null });
    expect([await listIds(ratna, 'waiting'), await countsOf(ratna)]).toEqual([
      [],
      { waiting: 0, unread: 1, snoozed: 0, mine: 0 },
    ]);
    test.clock.advance(MINUTE_MS);
    const { createdAt } = await send(budi, ratna, 'Satu lagi');
    expect(await listIds(ratna, 'waiting')).toEqual([budi.id]);
    expect(await stateOf(claim(ratna, budi))).toMatchObject({ state: 'waiting', unanswered_since: createdAt });
  });

  it('leaves the claim of a colleague', async () => {
    const { send, claim, dismiss, stateOf, ratna, fitri, budi } = await buildInbox();
    const { id } = await send(budi, ratna);
    await claim(ratna, budi);
    expect(await stateOf(dismiss(fitri, budi, { up_to: id }))).toMatchObject({
      state: 'done',
      claimed_by: { id: ratna.id },
    });
  });

  it('fails when the user has written since, and changes nothing then', async () => {
    const { send, dismiss, rowOf, ratna, budi } = await buildInbox();
    const first = await send(budi, ratna);
    await send(budi, ratna);
    for (const up_to of [first.id, '0', '99999']) {
      const { status, body } = await dismiss(ratna, budi, { up_to });
      expect([status, body]).toEqual([409, { success: false, message: 'Ada pesan baru' }]);
    }
    for (const body of [{}, { up_to: null }, { up_to: 'x' }, { up_to: '-1' }]) {
      expect((await dismiss(ratna, budi, body)).status).toBe(422);
    }
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'waiting', unanswered_since: first.createdAt });
  });

  it('restores the wait as it was when it is taken back', async () => {
    const { send, dismiss, undoDismiss, stateOf, test, ratna, fitri, budi } = await buildInbox();
    await send(budi, ratna);
    await send(fitri, budi);
    test.clock.advance(MINUTE_MS);
    const first = await send(budi, ratna);
    test.clock.advance(MINUTE_MS);
    const second = await send(budi, ratna);
    await dismiss(ratna, budi, { up_to: second.id });
    // A repeat, as after a lost answer, must not lose the place to which the undo returns.
    await dismiss(ratna, budi, { up_to: second.id });
    const waiting = { state: 'waiting', unanswered_since: first.createdAt };
    expect(await stateOf(undoDismiss(ratna, budi))).toMatchObject(waiting);
    expect(await stateOf(undoDismiss(ratna, budi))).toMatchObject(waiting);
    await dismiss(ratna, budi, { up_to: second.id });
    test.clock.advance(MINUTE_MS);
    const third = await send(budi, ratna);
    await dismiss(ratna, budi, { up_to: third.id });
    expect(await stateOf(undoDismiss(ratna, budi))).toMatchObject({ unanswered_since: third.createdAt });
  });

  it('that is taken back after an answer or a deletion of the history makes nobody wait', async () => {
    const { send, dismiss, undoDismiss, clear, stateOf, ratna, budi } = await buildInbox();
    const first = await send(budi, ratna);
    await dismiss(ratna, budi, { up_to: first.id });
    await send(ratna, budi);
    expect(await stateOf(undoDismiss(ratna, budi))).toMatchObject({ state: 'done', unanswered_since: null });
    const second = await send(budi, ratna);
    await dismiss(ratna, budi, { up_to: second.id });
    await clear(ratna, budi.id);
    expect(await stateOf(undoDismiss(ratna, budi))).toMatchObject({ state: 'done', unanswered_since: null });
  });

  it('stays in the statistics as long as it is not taken back', async () => {
    const { send, dismiss, undoDismiss, test, ratna, budi } = await buildInbox();
    const stored = test.database.sqlite
      .prepare('select user_id, message_id from conversation_dismissals order by message_id')
      .raw();
    const first = await send(budi, ratna);
    await dismiss(ratna, budi, { up_to: first.id });
    const second = await send(budi, ratna);
    await dismiss(ratna, budi, { up_to: second.id });
    expect(stored.all()).toEqual([first, second].map(({ id }) => [budi.id, Number(id)]));
    await undoDismiss(ratna, budi);
    expect(stored.all()).toEqual([[budi.id, Number(first.id)]]);
  });

  it('changes nothing that the user could notice', async () => {
    const { send, claim, snooze, dismiss, list, history, test, ratna, budi, inMs } = await buildInbox();
    const tab = await openTab(test, budi);
    const { id } = await send(budi, ratna);
    await waitForPendingEvents(test, tab);
    tab.clearReceived();
    const before = [await list(budi), await list(budi, '?unanswered=1'), await history(budi, ratna.id)];
    await claim(ratna, budi);
    await dismiss(ratna, budi, { up_to: id });
    await snooze(ratna, budi, { until: inMs(HOUR_MS), up_to: id });
    const after = [await list(budi), await list(budi, '?unanswered=1'), await history(budi, ratna.id)];
    expect(after).toEqual(before);
    await waitForPendingEvents(test, tab);
    expect(tab.received()).toEqual([]);
  });
});

describe('a snooze', () => {
  it('takes the conversation out of those that wait until its time has come', async () => {
    const { send, snooze, stateOf, rowOf, countsOf, listIds, test, ratna, budi, inMs } = await buildInbox();
    const { id, createdAt } = await send(budi, ratna);
    const until = inMs(HOUR_MS);
    const snoozed = { state: 'snoozed', snoozed_until: until, unanswered_since: createdAt };
    expect(await stateOf(snooze(ratna, budi, { until, up_to: id }))).toMatchObject(snoozed);
    expect(await rowOf(ratna, budi)).toMatchObject(snoozed);
    expect([
      await listIds(ratna, 'snoozed'),
      await listIds(ratna, 'waiting'),
      await listIds(ratna, 'unclaimed'),
    ]).toEqual([[budi.id], [], []]);
    test.clock.advance(HOUR_MS - 1);
    expect(await countsOf(ratna)).toMatchObject({ waiting: 0, snoozed: 1 });
    test.clock.advance(1);
    expect(await rowOf(ratna, budi)).toMatchObject({
      state: 'waiting',
      snoozed_until: null,
      unanswered_since: createdAt,
    });
    expect(await countsOf(ratna)).toMatchObject({ waiting: 1, snoozed: 0 });
  });

  it('ends with a new message of the user, but not with an answer', async () => {
    const { send, snooze, rowOf, ratna, budi, inMs } = await buildInbox();
    const first = await send(budi, ratna);
    await snooze(ratna, budi, { until: inMs(HOUR_MS), up_to: first.id });
    await send(ratna, budi);
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'snoozed', unanswered_since: null });
    await send(budi, ratna);
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'waiting', snoozed_until: null });
  });

  it('can be taken back', async () => {
    const { send, snooze, undoSnooze, stateOf, ratna, budi, inMs } = await buildInbox();
    const { id, createdAt } = await send(budi, ratna);
    await snooze(ratna, budi, { until: inMs(HOUR_MS), up_to: id });
    for (let time = 0; time < 2; time += 1) {
      expect(await stateOf(undoSnooze(ratna, budi))).toMatchObject({
        state: 'waiting',
        snoozed_until: null,
        unanswered_since: createdAt,
      });
    }
  });

  it('needs a time in the future within 90 days and the newest message', async () => {
    const { send, snooze, rowOf, ratna, budi, inMs } = await buildInbox();
    const first = await send(budi, ratna);
    const second = await send(budi, ratna);
    const range = 'Waktu tunda harus di masa depan dan paling lama 90 hari';
    for (const ms of [-1, 0, 90 * DAY_MS + 1]) {
      const { status, body } = await snooze(ratna, budi, { until: inMs(ms), up_to: second.id });
      expect([status, body.message, body.errors]).toEqual([422, range, { until: [range] }]);
    }
    for (const until of ['besok', '2026-06-11', '', null, undefined, 5]) {
      expect([until, (await snooze(ratna, budi, { until, up_to: second.id })).status]).toEqual([until, 422]);
    }
    const outdated = await snooze(ratna, budi, { until: inMs(HOUR_MS), up_to: first.id });
    expect([outdated.status, outdated.body.message]).toEqual([409, 'Ada pesan baru']);
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'waiting' });
    for (const ms of [1, 90 * DAY_MS]) {
      expect((await snooze(ratna, budi, { until: inMs(ms), up_to: second.id })).status).toBe(200);
    }
    // Also with the offset of the office's time zone.
    expect((await snooze(ratna, budi, { until: '2026-06-11T08:00:00+07:00', up_to: second.id })).status).toBe(200);
    expect(await rowOf(ratna, budi)).toMatchObject({ snoozed_until: '2026-06-11T01:00:00.000Z' });
  });
});

it('lets the deletion of a history end claim, snooze and dismissal', async () => {
  const { send, claim, dismiss, snooze, clear, rowOf, countsOf, test, ratna, fitri, budi, inMs } = await buildInbox();
  const tab = await openTab(test, fitri);
  const { id } = await send(budi, ratna);
  await claim(fitri, budi);
  await dismiss(ratna, budi, { up_to: id });
  await snooze(ratna, budi, { until: inMs(HOUR_MS), up_to: id });
  await clear(ratna, budi.id);
  const nothing = { state: 'done', claimed_by: null, snoozed_until: null, unanswered_since: null };
  expect(await rowOf(ratna, budi)).toMatchObject(nothing);
  expect(await countsOf(fitri)).toEqual({ waiting: 0, unread: 0, snoozed: 0, mine: 0 });
  await waitForPendingEvents(test, tab);
  expect(tab.payloadsOf('conversation:state').at(-1)).toEqual({ user_id: budi.id, ...nothing });
  const { createdAt } = await send(budi, ratna);
  expect(await rowOf(ratna, budi)).toMatchObject({ state: 'waiting', unanswered_since: createdAt });
});

describe('the filters of the list', () => {
  it('list the longest wait first, and count what they show', async () => {
    const { send, claim, snooze, list, listIds, countsOf, test, ratna, fitri, budi, inMs } = await buildInbox();
    const [siti, andi, tono] = [buildTestUser(test), buildTestUser(test), buildTestUser(test)];
    // Connected, so that the claims stand.
    await Promise.all([openTab(test, ratna), openTab(test, fitri)]);
    for (const user of [siti, budi, andi, tono]) {
      test.clock.advance(MINUTE_MS);
      await send(user, ratna);
    }
    const { id } = await send(siti, ratna, 'Halo?');
    expect(await listIds(ratna, 'waiting', '&sort=waiting')).toEqual([siti.id, budi.id, andi.id, tono.id]);
    expect(await listIds(ratna, 'waiting')).toEqual([siti.id, tono.id, andi.id, budi.id]);
    await claim(ratna, andi);
    await claim(fitri, budi);
    await snooze(ratna, siti, { until: inMs(HOUR_MS), up_to: id });
    await send(ratna, tono);
    expect(await listIds(ratna, 'waiting', '&sort=waiting')).toEqual([budi.id, andi.id]);
    expect(await listIds(ratna, 'unclaimed', '&sort=waiting')).toEqual([]);
    expect(await listIds(ratna, 'mine')).toEqual([tono.id, andi.id]);
    expect(await listIds(ratna, 'mine', '&sort=waiting')).toEqual([andi.id, tono.id]);
    expect(await listIds(ratna, 'snoozed')).toEqual([siti.id]);
    expect(await listIds(ratna, 'snoozed', '&unread=1&search=tidak-ada')).toEqual([]);
    expect(await countsOf(ratna)).toEqual({ waiting: 2, unread: 4, snoozed: 1, mine: 2 });
    expect(await countsOf(fitri)).toEqual({ waiting: 2, unread: 4, snoozed: 1, mine: 1 });
    // An unknown state counts as none; with a page the total is that of the filter.
    expect(await list(ratna, '?state=lain')).toMatchObject({ total: 4 });
    expect(await list(ratna, '?state=waiting&limit=1')).toMatchObject({ total: 2, has_more: true });
  });

  it('leave out the conversation of an account that became an admin, also in the counts', async () => {
    const { send, claim, countsOf, listIds, test, ratna, budi } = await buildInbox();
    await send(budi, ratna);
    await claim(ratna, budi);
    const role = (is_admin: boolean) =>
      test.call('PUT', `/api/admin/users/${budi.id}`, { token: ratna.token, body: { is_admin, ...ownPassword } });
    await role(true);
    expect([await listIds(ratna, 'waiting'), await listIds(ratna, 'mine')]).toEqual([[], []]);
    expect(await countsOf(ratna)).toEqual({ waiting: 0, unread: 0, snoozed: 0, mine: 0 });
    const tab = await openTab(test, ratna);
    await role(false);
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('conversation:state').at(-1)).toMatchObject({ user_id: budi.id, state: 'waiting' });
    expect(await countsOf(ratna)).toEqual({ waiting: 1, unread: 1, snoozed: 0, mine: 1 });
  });

  it('mean nothing in the list of a user', async () => {
    const { send, claim, list, ratna, budi } = await buildInbox();
    await send(budi, ratna);
    await claim(ratna, budi);
    const own = await list(budi);
    for (const state of ['waiting', 'snoozed', 'mine', 'unclaimed']) {
      expect([state, await list(budi, `?state=${state}`)]).toEqual([state, own]);
    }
  });
});
