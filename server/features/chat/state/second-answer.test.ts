import { describe, expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildInboxApp } from '#server/testing/chat/inbox-app.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

async function buildInbox(rateLimits = true) {
  const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits };
  const app = await buildInboxApp({ settings });
  const ratna = buildAdmin(app.test);
  const fitri = buildAdmin(app.test, { name: 'Fitri' });
  const budi = buildTestUser(app.test, { name: 'Budi' });
  return { ...app, ratna, fitri, budi };
}

describe('an answer with the newest message that its writer saw', () => {
  it('fails after the answer of a colleague, and stores, claims and publishes nothing', async () => {
    const { send, post, countStored, rowOf, release, test, ratna, fitri, budi } = await buildInbox();
    const question = await send(budi, ratna);
    await send(fitri, budi, 'Sudah lunas');
    await release(fitri, budi);
    const tab = await openTab(test, budi);
    const answer = { to_user_id: budi.id, content: 'Belum', seen_id: question.id, client_id: 'jawaban-1' };
    const refused = await post(ratna, answer);
    expect([refused.status, refused.body]).toEqual([
      409,
      { success: false, message: 'Fitri sudah membalas. Baca dulu sebelum mengirim.' },
    ]);
    expect(countStored()).toBe(2);
    expect(await rowOf(ratna, budi)).toMatchObject({ claimed_by: null });
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('message:new')).toEqual([]);
    // The same client_id can be used without it, and after that it is the same message again.
    const { seen_id: _seenId, ...withoutSeen } = answer;
    expect([(await post(ratna, withoutSeen)).status, (await post(ratna, answer)).status]).toEqual([201, 200]);
    expect(countStored()).toBe(3);
  });

  it('succeeds after it was read, after the own answer and after messages of the user', async () => {
    const { send, post, ratna, fitri, budi } = await buildInbox();
    const question = await send(budi, ratna);
    const own = { to_user_id: budi.id, content: 'Sebentar', seen_id: question.id };
    expect((await post(ratna, own)).status).toBe(201);
    await send(budi, ratna);
    expect((await post(ratna, own)).status).toBe(201);
    const theirs = await send(fitri, budi);
    expect((await post(ratna, own)).status).toBe(409);
    expect((await post(ratna, { ...own, seen_id: theirs.id })).status).toBe(201);
    expect((await post(ratna, { ...own, seen_id: '999999' })).status).toBe(201);
    for (const seen_id of ['x', -1, '1.5', {}]) {
      expect([seen_id, (await post(ratna, { ...own, seen_id })).status]).toEqual([seen_id, 422]);
    }
  });

  it('succeeds when the other answer was deleted with the history', async () => {
    const { send, post, clear, ratna, fitri, budi } = await buildInbox();
    const question = await send(budi, ratna);
    await send(fitri, budi);
    await clear(fitri, budi.id);
    await send(budi, ratna);
    expect((await post(ratna, { to_user_id: budi.id, content: 'Ya', seen_id: question.id })).status).toBe(201);
  });

  it('from a user is never refused', async () => {
    const { send, post, ratna, fitri, budi } = await buildInbox();
    const question = await send(budi, ratna);
    await send(fitri, budi);
    expect((await post(budi, { to_user_id: ratna.id, content: 'Oh', seen_id: question.id })).status).toBe(201);
  });
});

it('stores exactly one of two answers that two admins send at once, a thousand times', async () => {
  const { send, post, history, countStored, test, ratna, fitri } = await buildInbox(false);
  const users = Array.from({ length: 50 }, () => buildTestUser(test));
  const wins = { 'Ibu Ratna': 0, Fitri: 0 };
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      users.map(async (user, index) => {
        const question = await send(user, ratna);
        const order = (round + index) % 2 === 0 ? [ratna, fitri] : [fitri, ratna];
        const bodyOf = (admin: { name: string }) => ({
          to_user_id: user.id,
          content: `Jawaban ${admin.name}`,
          client_id: `${user.id}-${round}`,
        });
        const answers = await Promise.all(
          order.map(async (admin) => {
            const answer = await post(admin, { ...bodyOf(admin), seen_id: question.id });
            return { admin, answer };
          }),
        );
        const winner = answers.find(({ answer }) => answer.status === 201);
        const loser = answers.find(({ answer }) => answer.status === 409);
        if (!winner || !loser) throw new Error(JSON.stringify(answers.map(({ answer }) => answer.status)));
        expect(loser.answer.body.message).toBe(`${winner.admin.name} sudah membalas. Baca dulu sebelum mengirim.`);
        wins[winner.admin.name as keyof typeof wins] += 1;
        const again = await post(loser.admin, bodyOf(loser.admin));
        const repeated = await post(loser.admin, { ...bodyOf(loser.admin), seen_id: question.id });
        expect([again.status, repeated.status]).toEqual([201, 200]);
      }),
    );
  }
  expect(countStored()).toBe(3000);
  expect(Math.min(wins['Ibu Ratna'], wins.Fitri)).toBeGreaterThan(0);
  for (const user of users) expect((await history(ratna, user.id)).total).toBe(60);
});
