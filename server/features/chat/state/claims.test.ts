import { describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#shared/durations.ts';
import { CLAIM_ABSENCE_MS } from '#shared/limits.ts';
import { alone } from '#server/process/processes.ts';
import { buildAdmin, buildTestUser, type SignedInUser, ownPassword } from '#server/testing/factories.ts';
import { buildInboxApp } from '#server/testing/chat/inbox-app.ts';
import { openTab, type Tab, waitForPendingEvents } from '#server/testing/sockets.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { createConversationStates } from './state-service.ts';

const handledBy = ({ id, name }: SignedInUser) => ({ id, name });

async function buildInbox() {
  const app = await buildInboxApp();
  const ratna = buildAdmin(app.test);
  const fitri = buildAdmin(app.test, { name: 'Fitri' });
  const budi = buildTestUser(app.test, { name: 'Budi' });
  const siti = buildTestUser(app.test, { name: 'Siti' });
  return { ...app, ratna, fitri, budi, siti };
}

/** Both admins are connected, so that no claim ends for their absence. */
async function buildConnectedInbox() {
  const app = await buildInbox();
  const [ratnasTab, fitrisTab, budisTab] = await Promise.all(
    [app.ratna, app.fitri, app.budi].map(async (user) => openTab(app.test, user)),
  );
  if (!ratnasTab || !fitrisTab || !budisTab) throw new Error('no tab');
  return { ...app, ratnasTab, fitrisTab, budisTab };
}

/** Closes the last connection of an admin, and waits until the server has noticed it. */
async function leave({ context }: TestApp, admin: SignedInUser, tab: Tab): Promise<void> {
  tab.close();
  await expect.poll(() => context.presence.absentSince(admin.id)).not.toBeNull();
}

describe('a claim', () => {
  it('shows in the answer, in the list and as an event of all admins, and nowhere to users', async () => {
    const { claim, stateOf, rowOf, countsOf, list, send, test, ratna, fitri, budi, ratnasTab, fitrisTab, budisTab } =
      await buildConnectedInbox();
    const { createdAt } = await send(budi, ratna);
    const state = await stateOf(claim(ratna, budi));
    expect(state).toEqual({
      user_id: budi.id,
      state: 'waiting',
      claimed_by: handledBy(ratna),
      snoozed_until: null,
      unanswered_since: createdAt,
    });
    await waitForPendingEvents(test, ratnasTab, fitrisTab, budisTab);
    for (const tab of [ratnasTab, fitrisTab]) expect(tab.payloadsOf('conversation:state').at(-1)).toEqual(state);
    expect(budisTab.payloadsOf('conversation:state')).toEqual([]);
    expect(await rowOf(fitri, budi)).toMatchObject({ state: 'waiting', claimed_by: handledBy(ratna), note_count: 0 });
    expect([(await countsOf(ratna)).mine, (await countsOf(fitri)).mine]).toEqual([1, 0]);
    const own = await list(budi);
    expect(Object.keys(own)).not.toContain('counts');
    for (const field of ['state', 'claimed_by', 'snoozed_until', 'note_count']) {
      expect(Object.keys(own.data[0] ?? {})).not.toContain(field);
    }
  });

  it('of a colleague refuses another claim and its release with the name of the holder', async () => {
    const { claim, release, rowOf, ratna, fitri, budi } = await buildInbox();
    await claim(ratna, budi);
    for (const refused of [
      await claim(fitri, budi),
      await claim(fitri, budi, { take: false }),
      await release(fitri, budi),
    ]) {
      expect([refused.status, refused.body]).toEqual([409, { success: false, message: 'Sedang ditangani Ibu Ratna' }]);
    }
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: handledBy(ratna) });
  });

  it('can be taken over, which is in the audit, and given back', async () => {
    const { claim, release, stateOf, test, ratna, fitri, budi } = await buildInbox();
    // Nothing is taken from anybody.
    expect((await stateOf(claim(ratna, budi, { take: true }))).claimed_by).toEqual(handledBy(ratna));
    expect((await stateOf(claim(fitri, budi, { take: true }))).claimed_by).toEqual(handledBy(fitri));
    expect((await stateOf(claim(fitri, budi, { take: true }))).claimed_by).toEqual(handledBy(fitri));
    const audit = await test.call('GET', '/api/admin/audit', { token: ratna.token });
    const { data } = audit.body.data as {
      data: { action: string; actor: object; subject: object; changes: object[] }[];
    };
    expect(data.filter(({ action }) => action === 'conversation.taken')).toMatchObject([
      {
        actor: { id: fitri.id, name: 'Fitri' },
        subject: { id: budi.id },
        changes: [{ field: 'claimed_by', from: 'Ibu Ratna', to: 'Fitri' }],
      },
    ]);
    expect((await stateOf(release(fitri, budi))).claimed_by).toBeNull();
    expect((await stateOf(release(ratna, budi))).claimed_by).toBeNull();
  });

  it('ends at the same time after claiming again', async () => {
    const { claim, rowOf, test, ratna, fitri, budi } = await buildConnectedInbox();
    await claim(ratna, budi);
    test.clock.advance(29 * MINUTE_MS);
    await claim(ratna, budi);
    test.clock.advance(MINUTE_MS);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: null });
  });

  it('comes with the answer to an unclaimed conversation only', async () => {
    const { send, rowOf, test, ratna, fitri, budi, fitrisTab } = await buildConnectedInbox();
    await send(budi, ratna);
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'waiting', claimed_by: null });
    await send(ratna, budi);
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'done', claimed_by: handledBy(ratna) });
    await send(fitri, budi);
    await send(budi, ratna);
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'waiting', claimed_by: handledBy(ratna) });
    await waitForPendingEvents(test, fitrisTab);
    expect(
      fitrisTab.payloadsOf('conversation:state').map(({ state, claimed_by }) => [state, claimed_by?.name]),
    ).toEqual([
      ['waiting', undefined],
      ['done', 'Ibu Ratna'],
      ['waiting', 'Ibu Ratna'],
    ]);
    // The state follows the message, so that a client knows the message that changed it.
    const names = fitrisTab.received().map(({ event }) => event);
    expect(names.indexOf('message:new')).toBeLessThan(names.indexOf('conversation:state'));
  });
});

describe('a claim ends by itself', () => {
  it('30 minutes after the last message', async () => {
    const { claim, send, rowOf, test, ratna, fitri, budi } = await buildConnectedInbox();
    await claim(ratna, budi);
    test.clock.advance(20 * MINUTE_MS);
    await send(fitri, budi);
    test.clock.advance(30 * MINUTE_MS - 1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: handledBy(ratna) });
    test.clock.advance(1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: null });
  });

  it('when the user has waited 15 minutes under it', async () => {
    const { claim, send, listIds, countsOf, test, ratna, budi } = await buildConnectedInbox();
    await send(budi, ratna);
    test.clock.advance(60 * MINUTE_MS);
    await claim(ratna, budi);
    test.clock.advance(15 * MINUTE_MS - 1);
    expect([await listIds(ratna, 'mine'), await listIds(ratna, 'unclaimed')]).toEqual([[budi.id], []]);
    test.clock.advance(1);
    expect([await listIds(ratna, 'mine'), await listIds(ratna, 'unclaimed')]).toEqual([[], [budi.id]]);
    expect(await countsOf(ratna)).toMatchObject({ mine: 0, waiting: 1 });
  });

  it('60 seconds after its holder lost the last connection', async () => {
    const { claim, rowOf, test, ratna, fitri, budi, ratnasTab, fitrisTab } = await buildConnectedInbox();
    await claim(ratna, budi);
    const phone = await openTab(test, ratna);
    ratnasTab.close();
    await waitForPendingEvents(test, phone, fitrisTab);
    test.clock.advance(5 * MINUTE_MS);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: handledBy(ratna) });
    await leave(test, ratna, phone);
    test.clock.advance(CLAIM_ABSENCE_MS - 1);
    const again = await openTab(test, ratna);
    test.clock.advance(CLAIM_ABSENCE_MS - 1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: handledBy(ratna) });
    await leave(test, ratna, again);
    test.clock.advance(CLAIM_ABSENCE_MS);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: null });
  });

  it('60 seconds after the claim of an admin who has no connection at all', async () => {
    const { claim, rowOf, test, ratna, fitri, budi } = await buildInbox();
    test.clock.advance(60 * MINUTE_MS);
    await claim(ratna, budi);
    test.clock.advance(CLAIM_ABSENCE_MS - 1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: handledBy(ratna) });
    test.clock.advance(1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: null });
  });

  it('for an absence that was too long, although the holder came back before anybody looked', async () => {
    const { claim, rowOf, test, ratna, fitri, budi, ratnasTab } = await buildConnectedInbox();
    await claim(ratna, budi);
    await leave(test, ratna, ratnasTab);
    test.clock.advance(CLAIM_ABSENCE_MS);
    await openTab(test, ratna);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: null });
  });

  it('after a restart, also by the messages before it', async () => {
    const before = await buildInbox();
    await before.claim(before.ratna, before.budi);
    before.test.clock.advance(CLAIM_ABSENCE_MS - 1);
    await before.send(before.budi, before.ratna);
    await before.test.server.close();
    const { now, monotonicNow, advance } = before.test.clock;
    const after = await buildInboxApp({ database: before.test.database, now, monotonicNow });
    await openTab(after.test, before.ratna);
    advance(15 * MINUTE_MS - 1);
    expect(await after.rowOf(before.fitri, before.budi)).toMatchObject({ claimed_by: handledBy(before.ratna) });
    advance(1);
    expect(await after.rowOf(before.fitri, before.budi)).toMatchObject({ claimed_by: null });
  });

  it('60 seconds after a restart, from which the absence of the holder counts', async () => {
    const before = await buildInbox();
    await before.claim(before.ratna, before.budi);
    before.test.clock.advance(10 * MINUTE_MS);
    await before.test.server.close();
    const { now, monotonicNow, advance } = before.test.clock;
    const after = await buildInboxApp({ database: before.test.database, now, monotonicNow });
    advance(CLAIM_ABSENCE_MS - 1);
    expect(await after.rowOf(before.fitri, before.budi)).toMatchObject({ claimed_by: handledBy(before.ratna) });
    advance(1);
    expect(await after.rowOf(before.fitri, before.budi)).toMatchObject({ claimed_by: null });
  });

  it('no later when the clock of the computer is set back', async () => {
    const { claim, rowOf, test, ratna, fitri, budi } = await buildConnectedInbox();
    await claim(ratna, budi);
    test.clock.jump(-3 * 60 * MINUTE_MS);
    test.clock.advance(30 * MINUTE_MS - 1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: handledBy(ratna) });
    test.clock.advance(1);
    expect(await rowOf(fitri, budi)).toMatchObject({ claimed_by: null });
  });

  it('for a colleague who claims or answers before the server has stored the end', async () => {
    const { claim, send, stateOf, rowOf, test, ratna, fitri, budi, siti } = await buildInbox();
    await claim(ratna, budi);
    await claim(ratna, siti);
    test.clock.advance(CLAIM_ABSENCE_MS);
    expect((await stateOf(claim(fitri, budi))).claimed_by).toEqual(handledBy(fitri));
    await send(fitri, siti);
    expect(await rowOf(ratna, siti)).toMatchObject({ claimed_by: handledBy(fitri) });
  });

  it('and all admins get the event, without any call', async () => {
    const { claim, snooze, send, test, ratna, budi, siti, ratnasTab, fitrisTab } = await buildConnectedInbox();
    const { id } = await send(siti, ratna);
    await claim(ratna, budi);
    await snooze(ratna, siti, { until: new Date(test.clock.now() + 30 * MINUTE_MS).toISOString(), up_to: id });
    for (const tab of [ratnasTab, fitrisTab]) {
      await waitForPendingEvents(test, tab);
      tab.clearReceived();
    }
    test.clock.advance(30 * MINUTE_MS);
    const events = [await fitrisTab.next('conversation:state'), await fitrisTab.next('conversation:state')];
    const ofRatna = [await ratnasTab.next('conversation:state'), await ratnasTab.next('conversation:state')];
    expect(events.find(({ user_id }) => user_id === budi.id)).toMatchObject({ state: 'done', claimed_by: null });
    expect(events.find(({ user_id }) => user_id === siti.id)).toMatchObject({ state: 'waiting', snoozed_until: null });
    expect(ofRatna).toEqual(expect.arrayContaining(events));
    const stored = test.database.sqlite.prepare(
      'select count(*) from conversations where claimed_by is not null or snoozed_until is not null',
    );
    expect(stored.pluck().get()).toBe(0);
  });
});

describe('the claims of an admin', () => {
  it('end with the account', async () => {
    const { claim, rowOf, test, ratna, fitri, budi, ratnasTab } = await buildConnectedInbox();
    await claim(fitri, budi);
    await test.call('DELETE', `/api/admin/users/${fitri.id}`, { token: ratna.token, body: ownPassword });
    await waitForPendingEvents(test, ratnasTab);
    expect(ratnasTab.payloadsOf('conversation:state').at(-1)).toMatchObject({ user_id: budi.id, claimed_by: null });
    expect(await rowOf(ratna, budi)).toMatchObject({ claimed_by: null });
  });

  it('end in small parts when there are hundreds, so that other events run in between', async () => {
    const { test, ratna, fitri, claim } = await buildInbox();
    const users = Array.from({ length: 250 }, () => buildTestUser(test));
    for (const user of users) await claim(fitri, user);
    let published = 0;
    let publishedInTurn = 0;
    let mostInTurn = 0;
    const toAdmins = vi.spyOn(test.context.publish.here, 'toAdmins').mockImplementation((event) => {
      if (event !== 'conversation:state') return;
      if (publishedInTurn === 0) setImmediate(() => (publishedInTurn = 0));
      published += 1;
      publishedInTurn += 1;
      mostInTurn = Math.max(mostInTurn, publishedInTurn);
    });
    expect(
      (await test.call('DELETE', `/api/admin/users/${fitri.id}`, { token: ratna.token, body: ownPassword })).status,
    ).toBe(200);
    toAdmins.mockRestore();
    expect(published).toBe(250);
    expect(mostInTurn).toBeLessThanOrEqual(100);
  });

  it('end with the role', async () => {
    const { claim, listIds, test, ratna, fitri, budi, siti, ratnasTab } = await buildConnectedInbox();
    await claim(fitri, budi);
    await claim(ratna, siti);
    await test.call('PUT', `/api/admin/users/${fitri.id}`, {
      token: ratna.token,
      body: { is_admin: false, ...ownPassword },
    });
    await waitForPendingEvents(test, ratnasTab);
    expect(ratnasTab.payloadsOf('conversation:state').findLast(({ user_id }) => user_id === budi.id)).toMatchObject({
      claimed_by: null,
    });
    expect(await listIds(ratna, 'mine')).toEqual([siti.id]);
    expect(
      test.database.sqlite.prepare('select user_id from conversations where claimed_by = ?').pluck().all(fitri.id),
    ).toEqual([]);
  });
});

describe('calls about the state of a conversation', () => {
  it('serve admins only: 401 without a session and 403 for users, before any look-up', async () => {
    const { calls, rowOf, ratna, budi, siti } = await buildInbox();
    for (const stateCall of Object.values(calls)) {
      for (const user of [budi, siti, { id: 'tidak-ada' }]) {
        expect((await stateCall({ token: 'x' }, user, {})).status).toBe(401);
        expect((await stateCall(budi, user, {})).status).toBe(403);
      }
    }
    expect(await rowOf(ratna, budi)).toMatchObject({ state: 'done', claimed_by: null });
  });

  it('answer 404 for an unknown account and 403 for an admin’s', async () => {
    const { calls, test, ratna, fitri } = await buildInbox();
    const until = new Date(test.clock.now() + MINUTE_MS).toISOString();
    for (const [name, stateCall] of Object.entries(calls)) {
      const body = name.startsWith('undo') || name === 'release' ? undefined : { up_to: '0', until };
      expect([name, (await stateCall(ratna, { id: 'tidak-ada' }, body)).status]).toEqual([name, 404]);
      expect([name, (await stateCall(ratna, fitri, body)).status]).toEqual([name, 403]);
    }
  });

  it('fail when the caller lost the role while the body was on its way', async () => {
    const { claim, test, ratna, budi } = await buildInbox();
    const pending = claim(ratna, budi);
    test.database.sqlite.prepare('update users set is_admin = 0 where id = ?').run(ratna.id);
    expect((await pending).status).toBe(403);
    expect(
      test.database.sqlite.prepare('select claimed_by from conversations where claimed_by is not null').all(),
    ).toEqual([]);
  });
});

it('lets exactly one of two admins win who claim at once, a thousand times', async () => {
  const { claim, release, test, ratna, fitri } = await buildInbox();
  const users = Array.from({ length: 50 }, () => buildTestUser(test));
  const wins = { 'Ibu Ratna': 0, Fitri: 0 };
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      users.map(async (user, index) => {
        const order = (round + index) % 2 === 0 ? [ratna, fitri] : [fitri, ratna];
        const answers = await Promise.all(order.map(async (admin) => ({ admin, answer: await claim(admin, user) })));
        const winner = answers.find(({ answer }) => answer.status === 200);
        const loser = answers.find(({ answer }) => answer.status === 409);
        if (!winner || !loser) throw new Error(JSON.stringify(answers.map(({ answer }) => answer.status)));
        expect(winner.answer.body.data).toMatchObject({ claimed_by: handledBy(winner.admin) });
        expect(loser.answer.body.message).toBe(`Sedang ditangani ${winner.admin.name}`);
        wins[winner.admin.name as keyof typeof wins] += 1;
        expect((await release(winner.admin, user)).status).toBe(200);
      }),
    );
  }
  expect(wins['Ibu Ratna'] + wins.Fitri).toBe(1000);
  expect(Math.min(wins['Ibu Ratna'], wins.Fitri)).toBeGreaterThan(0);
});

it('follows what another process changes while this one reads all claims at its start', async () => {
  const { test } = await buildInbox();
  const topics: string[] = [];
  const processes = { ...alone, on: (topic: string) => void topics.push(topic) };
  const created = createConversationStates({ ...test.context, processes });
  expect(topics).toEqual(['conversation changed']);
  await created;
});
