import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#shared/durations.ts';
import { chatOf } from '#server/testing/chat/chat-app.ts';
import { pushAppOf, pushingTo } from '#server/testing/chat/push-app.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { type PushService, startPushService } from '#server/testing/network/push-service.ts';
import { buildTwoProcesses, createSettle } from '#server/testing/postgres/several-processes.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

/** Noon is quiet. */
const QUIET = { quiet_hours: { from: '11:00', to: '13:00' } };

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

/** Two processes of which the first leads, an admin with one device, a colleague and two users. */
async function openOffice() {
  const processes = await buildTwoProcesses(pushingTo(service));
  await expect.poll(() => processes.map(({ context }) => context.processes.others())).toEqual([1, 1]);
  const [one, other] = processes;
  const settle = createSettle(processes);
  const [leader, second] = [pushAppOf(service, chatOf(one)), pushAppOf(service, chatOf(other))];
  const ratna = buildAdmin(one);
  const desk = await leader.subscribe(ratna);
  await settle();
  return {
    one,
    other,
    leader,
    second,
    settle,
    ratna,
    desk,
    colleague: buildAdmin(one, { name: 'Ibu Fitri' }),
    budi: buildTestUser(one, { name: 'Budi' }),
    siti: buildTestUser(one, { name: 'Siti' }),
    advance: (ms: number): void => processes.forEach(({ clock }) => clock.advance(ms)),
    /** The bodies of what the desk was told, after all that may be sent was sent, by whichever process. */
    told: async (): Promise<string[]> => {
      await settle();
      for (const { pushes } of processes) {
        await pushes.tick();
        await pushes.settled();
      }
      return service.payloadsOf(desk).map(({ read, body }) => (read ? '(read)' : body));
    },
  };
}

describe('two processes of one office', () => {
  it('push a message whose process has ended, although another one was read meanwhile', async () => {
    const { other, leader, second, ratna, desk, colleague, budi, siti, advance, told } = await openOffice();
    await leader.wish(ratna, QUIET);
    await leader.send(siti, ratna, 'dari Siti');
    await second.send(budi, ratna, 'dari Budi');
    await leader.see(colleague, siti.id);
    expect(await told()).toEqual([]);
    expect(leader.countOwed()).toBe(1);
    await other.server.close();
    advance(2 * HOUR_MS);
    await leader.pushes.tick();
    expect(await leader.bodiesOf(desk)).toEqual(['dari Budi']);
    expect(leader.countOwed()).toBe(0);
  });

  it('push what is owed also after the leader has ended', async () => {
    const { one, other, leader, second, ratna, desk, budi, siti, advance, told } = await openOffice();
    await leader.send(siti, ratna, 'sudah sampai');
    expect(await told()).toEqual(['sudah sampai']);
    await leader.wish(ratna, QUIET);
    await leader.send(siti, ratna, 'dari Siti');
    await second.send(budi, ratna, 'dari Budi');
    expect(await told()).toHaveLength(1);
    await one.server.close();
    await expect.poll(() => other.context.processes.isLeader()).toBe(true);
    advance(2 * HOUR_MS);
    await second.pushes.tick();
    expect((await second.bodiesOf(desk)).slice(1).toSorted()).toEqual(['dari Budi', 'dari Siti']);
    expect(second.countOwed()).toBe(0);
  });

  it('keep a message owed of which the leader has not heard', async () => {
    const { other, leader, second, ratna, desk, budi, siti } = await openOffice();
    await leader.send(siti, ratna, 'dari Siti');
    await expect.poll(() => service.payloadsOf(desk)).toHaveLength(1);
    await leader.wish(ratna, QUIET);
    const release = other.holdBack();
    await second.send(budi, ratna, 'dari Budi');
    // The mark is older than this message.
    expect(leader.countOwed()).toBe(1);
    await leader.pushes.tick();
    expect(leader.countOwed()).toBe(1);
    await leader.pushes.settled();
    expect([leader.countOwed(), (await leader.pushes.status()).waiting]).toEqual([1, 1]);
    release();
  });

  it('tell a conversation once after quiet hours, whichever stored its messages', async () => {
    const { leader, second, ratna, budi, advance, told } = await openOffice();
    await leader.wish(ratna, QUIET);
    for (const [index, { send }] of [leader, second, leader, second].entries()) await send(budi, ratna, `ke-${index}`);
    expect(await told()).toEqual([]);
    advance(2 * HOUR_MS);
    expect(await told()).toEqual(['ke-3']);
    expect(leader.countOwed()).toBe(0);
  });

  it('ring three times in a row together, then once in 20 seconds', async () => {
    const { leader, second, ratna, budi, advance, told } = await openOffice();
    for (const [index, { send }] of [leader, second, leader, second, leader, second].entries()) {
      await send(budi, ratna, `ke-${index}`);
      await told();
    }
    expect(await told()).toEqual(['ke-0', 'ke-1', 'ke-2']);
    advance(20_000);
    expect(await told()).toEqual(['ke-0', 'ke-1', 'ke-2', 'ke-5']);
  });

  it('withdraw what was read at either, except on the device that read it in its notification', async () => {
    const { other, leader, second, ratna, desk, colleague, budi, told } = await openOffice();
    await leader.send(budi, ratna, 'satu');
    expect(await told()).toEqual(['satu']);
    await second.see(colleague, budi.id);
    expect(await told()).toEqual(['satu', '(read)']);
    await second.send(budi, ratna, 'dua');
    expect(await told()).toEqual(['satu', '(read)', 'dua']);
    const body = { action: 'read', action_token: service.payloadsOf(desk).at(-1)?.action_token };
    expect((await other.call('POST', '/api/push/actions', { body })).status).toBe(200);
    expect(await told()).toEqual(['satu', '(read)', 'dua']);
  });

  it('tell a person whose page at either of them gave no sign of life', async () => {
    const { one, other, leader, second, ratna, budi, settle, told } = await openOffice();
    const page = await openTab(other, ratna);
    page.socket.emit('viewing', { user_ids: [budi.id] });
    await waitForPendingEvents(other, page);
    await settle();
    await leader.send(budi, ratna, 'satu');
    await second.send(budi, ratna, 'dua');
    expect(await told()).toEqual([]);
    page.socket.io.engine.close();
    await expect.poll(() => one.context.presence.isAdminOnline()).toBe(false);
    expect(await told()).toEqual(['dua']);
  });

  it('show the same counts of pushes', async () => {
    const { leader, second, ratna, budi, settle, told } = await openOffice();
    await second.send(budi, ratna, 'satu');
    await told();
    expect((await second.test.call('POST', '/api/push/test', { token: ratna.token })).status).toBe(200);
    await told();
    await settle();
    for (const { pushes } of [leader, second])
      expect(await pushes.status()).toMatchObject({ subscriptions: 1, sent: 2, waiting: 0, reaches_out: true });
    expect((await second.pushes.ownStatus()).sent).toBe(0);
  });
});
