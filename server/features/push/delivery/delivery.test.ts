import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { buildAdmin, buildRecord, buildSession, buildTestUser } from '#server/testing/factories.ts';
import { type PushService, startPushService } from '#server/testing/network/push-service.ts';
import type { OpenBus } from '#server/process/processes.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { QUEUE_LIMITS } from './delivery-queue.ts';
import { createPushTransport } from '../sending/transport.ts';
import { buildPushApp, type PushApp } from '#server/testing/chat/push-app.ts';

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.close());

/** An admin, and a user with one device. */
async function openOffice(overrides: Parameters<typeof buildPushApp>[1] = {}) {
  const app = await buildPushApp(service, overrides);
  const ratna = buildAdmin(app.test);
  const budi = buildTestUser(app.test, { name: 'Budi' });
  const phone = await app.subscribe(budi);
  return { ...app, ratna, budi, phone };
}
/** More than every first backoff. */
const passFirstBackoff = ({ test }: Pick<PushApp, 'test'>): void => test.clock.advance(MINUTE_MS);

describe('the receivers of a message', () => {
  it('tells each device of the user, in the words of the message, and none of the office', async () => {
    const { test, send, subscribe, pushes, ratna, budi, phone } = await openOffice();
    const tablet = await subscribe(buildSession(test, budi.id));
    const office = await subscribe(ratna);
    const other = await subscribe(buildTestUser(test));
    const { _id } = await send(ratna, budi, `Pembayaran PBB Bapak sudah kami terima.\nNotanya dapat dicetak 👍🏽`);
    await pushes.settled();
    const payload = {
      title: 'Pesan baru dari Ibu Ratna',
      body: 'Pembayaran PBB Bapak sudah kami terima. Notanya da',
      is_cut: true,
      user_id: budi.id,
      receiver_id: budi.id,
      url: '/dashboard?obrolan=1',
      tag: `pbb-chat-${budi.id}`,
      unread: 1,
      message_id: _id,
      action_token: expect.any(String),
    };
    expect(service.payloadsOf(phone)).toEqual([payload]);
    expect(service.payloadsOf(tablet)).toEqual([{ ...payload, action_token: expect.any(String) }]);
    expect([...service.payloadsOf(office), ...service.payloadsOf(other)]).toEqual([]);
    const [push] = service.received.slice(-2);
    expect(push?.headers).toMatchObject({ ttl: String((24 * HOUR_MS) / 1000), urgency: 'high' });
    expect(push?.headers['topic']).toMatch(/^[\w-]{32}$/);
    expect(service.refused).toEqual([]);
    expect(await pushes.status()).toMatchObject({
      subscriptions: 4,
      waiting: 0,
      sent: 2,
      failed: 0,
      reaches_out: true,
    });
  });

  it('names the office in the title once it has a name', async () => {
    const { test, send, pushes, ratna, budi, phone } = await openOffice();
    await test.call('PUT', '/api/admin/office-identity', { token: ratna.token, body: { name: 'Desa Sukamaju' } });
    await send(ratna, budi, 'Sudah kami terima');
    await pushes.settled();
    expect(service.payloadsOf(phone)).toMatchObject([{ title: 'Pesan baru dari Ibu Ratna · Desa Sukamaju' }]);
  });

  it('tells every active admin of a message of a user, with the page and the number of the inbox', async () => {
    const { test, send, subscribe, pushes, post, ratna, budi } = await openOffice();
    const siti = buildTestUser(test, { name: 'Siti' });
    const fitri = buildAdmin(test, { name: 'Ibu Fitri' });
    const away = buildAdmin(test, { name: 'Pak Joko' });
    const [first, second, third] = [await subscribe(ratna), await subscribe(fitri), await subscribe(away)];
    test.database.sqlite.prepare('update users set is_active = 0 where id = ?').run(away.id);
    await send(siti, ratna, 'Selamat pagi');
    await send(budi, ratna, 'Kapan kantor buka?');
    await pushes.settled();
    expect(service.payloadsOf(first).at(-1)).toMatchObject({
      title: 'Pesan baru dari Budi',
      body: 'Kapan kantor buka?',
      user_id: budi.id,
      receiver_id: ratna.id,
      url: `/admin/chat?user=${budi.id}`,
      unread: 2,
    });
    expect(service.payloadsOf(first)[0]).not.toHaveProperty('is_cut');
    expect(service.payloadsOf(second).map(({ user_id }) => user_id)).toEqual([siti.id, budi.id]);
    expect(service.payloadsOf(third)).toEqual([]);
    // A message of one admin is no news to the others.
    await send(fitri, budi, 'Pukul delapan');
    await pushes.settled();
    expect(service.payloadsOf(first)).toHaveLength(2);
    // A card is told in words.
    const { id } = buildRecord(test, budi.id, { year: 2026 });
    expect((await post(budi, { to_user_id: ratna.id, content: 'PBB 2026', record_id: id })).status).toBe(201);
    await pushes.settled();
    expect(service.payloadsOf(second).at(-1)?.body).toMatch(/^Data PBB 2026/);
  });

  it('tells of a notice, which counts as unread', async () => {
    const { test, pushes, ratna, budi, phone } = await openOffice();
    const published = await test.context.write((tx) =>
      test.storeNotice(tx, { actor: ratna, userId: budi.id, content: 'Pembayaran PBB 2025 cocok' }),
    );
    await published();
    await pushes.settled();
    expect(service.payloadsOf(phone)).toMatchObject([
      { title: 'Pemberitahuan dari Ibu Ratna', body: 'Pembayaran PBB 2025 cocok', unread: 1 },
    ]);
  });

  it('tells nobody who has the conversation on the screen, but colleagues and those whose page is hidden', async () => {
    const { test, send, subscribe, bodiesOf, ratna, budi, phone } = await openOffice();
    const fitri = buildAdmin(test, { name: 'Ibu Fitri' });
    const [ofRatna, ofFitri] = [await subscribe(ratna), await subscribe(fitri)];
    const page = await openTab(test, budi);
    const [desk, colleague] = [await openTab(test, ratna), await openTab(test, fitri)];
    page.socket.emit('viewing', { open: true });
    desk.socket.emit('viewing', { user_ids: [budi.id] });
    await waitForPendingEvents(test, page, desk);
    await send(ratna, budi, 'satu');
    await send(budi, ratna, 'dua');
    expect([await bodiesOf(phone), await bodiesOf(ofRatna), await bodiesOf(ofFitri)]).toEqual([[], [], ['dua']]);
    // Colleagues still see her there.
    colleague.clearReceived();
    desk.socket.emit('viewing', { user_ids: [budi.id], open: false });
    page.socket.emit('viewing', { open: false });
    await waitForPendingEvents(test, page, desk, colleague);
    expect(colleague.payloadsOf('viewing')).toEqual([
      { user_id: budi.id, viewers: [{ id: ratna.id, name: ratna.name }] },
    ]);
    await send(ratna, budi, 'tiga');
    await send(budi, ratna, 'empat');
    expect([await bodiesOf(phone), await bodiesOf(ofRatna)]).toEqual([['tiga'], ['empat']]);
    page.socket.emit('viewing', { open: true });
    await waitForPendingEvents(test, page);
    page.close();
    await openTab(test, ratna);
    await expect.poll(() => test.context.presence.isOnline(budi.id)).toBe(false);
    await send(ratna, budi, 'lima');
    expect(await bodiesOf(phone)).toEqual(['tiga', 'lima']);
  });

  it('tells a person whose page gave no sign of life what came in its last moments', async () => {
    const { test, send, bodiesOf, pushes, countOwed, ratna, budi, phone } = await openOffice();
    const page = await openTab(test, budi);
    page.socket.emit('viewing', { open: true });
    await waitForPendingEvents(test, page);
    await send(ratna, budi, 'lama');
    test.clock.advance(5 * MINUTE_MS);
    pushes.viewerLost(budi.id, [budi.id]);
    expect(await bodiesOf(phone)).toEqual([]);
    await send(ratna, budi, 'baru saja');
    expect(countOwed()).toBe(0);
    service.answerNextOf(phone, 'reset');
    // The browser was ended by its phone, or its connection broke.
    page.socket.io.engine.close();
    await expect.poll(() => test.context.presence.isOnline(budi.id)).toBe(false);
    expect(await bodiesOf(phone)).toEqual(['baru saja']);
    await expect.poll(countOwed).toBe(1);
  });

  it('asks again at each attempt whether session, account, role and wish still allow it', async () => {
    const office = await openOffice();
    const { test, send, subscribe, pushes, wish, ratna, countOwed } = office;
    const ends: [string, (user: { id: string; token: string }) => Promise<unknown> | void][] = [
      ['sign-out', ({ token }) => test.call('POST', '/api/auth/logout', { token })],
      [
        'deactivation',
        ({ id }) => void test.database.sqlite.prepare('update users set is_active = 0 where id = ?').run(id),
      ],
      [
        'another role',
        ({ id }) => void test.database.sqlite.prepare('update users set is_admin = 1 where id = ?').run(id),
      ],
      ['no wish', (user) => wish(user, { enabled: false })],
      ['reading', (user) => test.call('POST', `/api/messages/conversation/${ratna.id}/seen`, { token: user.token })],
      ['deletion of the history', ({ id }) => office.clear(ratna, id)],
    ];
    for (const [name, end] of ends) {
      const user = buildTestUser(test);
      const device = await subscribe(user);
      service.answerNextOf(device, { status: 503 });
      await send(ratna, user, name);
      await pushes.settled();
      expect([name, service.payloadsOf(device).length, (await pushes.status()).waiting]).toEqual([name, 1, 1]);
      await end(user);
      passFirstBackoff(office);
      await pushes.settled();
      expect([name, service.payloadsOf(device).length, (await pushes.status()).waiting]).toEqual([name, 1, 0]);
    }
    expect(countOwed()).toBe(0);
  });
});

describe('the preferences of a person', () => {
  it('shows nothing of a message without a preview, and pushes nothing while notifications are off', async () => {
    const { send, wish, pushes, ratna, budi, phone } = await openOffice();
    await wish(budi, { preview: false });
    await send(ratna, budi, 'Rahasia');
    await pushes.settled();
    expect(service.received.at(-1)?.text).not.toContain('Rahasia');
    expect(service.payloadsOf(phone)).toMatchObject([
      { title: 'Pesan baru dari Ibu Ratna', body: 'Buka aplikasi untuk membacanya' },
    ]);
    await wish(budi, { enabled: false });
    await send(ratna, budi, 'Rahasia juga');
    await pushes.settled();
    expect(service.payloadsOf(phone)).toHaveLength(1);
  });

  it('holds back during quiet hours, then tells each unread conversation once', async () => {
    const { test, send, wish, bodiesOf, subscribe, see, ratna, budi, phone } = await openOffice();
    test.clock.set('2026-06-10T14:59:00Z');
    const siti = buildTestUser(test, { name: 'Siti' });
    const office = await subscribe(ratna);
    // In Jakarta it is one minute to ten in the evening.
    for (const person of [budi, ratna]) await wish(person, { quiet_hours: { from: '22:00', to: '06:30' } });
    await send(ratna, budi, 'sebelum');
    expect(await bodiesOf(phone)).toEqual(['sebelum']);
    test.clock.advance(MINUTE_MS);
    for (const content of ['malam satu', 'malam dua']) await send(ratna, budi, content);
    await send(budi, ratna, 'dari Budi');
    await send(siti, ratna, 'dari Siti');
    expect([await bodiesOf(phone), await bodiesOf(office)]).toEqual([['sebelum'], []]);
    await see(ratna, budi.id);
    test.clock.set('2026-06-10T23:29:59Z');
    expect([await bodiesOf(phone), await bodiesOf(office)]).toEqual([['sebelum'], []]);
    test.clock.advance(15 * MINUTE_MS);
    expect([await bodiesOf(phone), await bodiesOf(office)]).toEqual([['sebelum', 'malam dua'], ['dari Siti']]);
    // A person who ends quiet hours gets the notification at once.
    test.clock.set('2026-06-11T16:00:00Z');
    await send(ratna, budi, 'malam tiga');
    expect(await bodiesOf(phone)).toHaveLength(2);
    await wish(budi, { quiet_hours: null });
    expect(await bodiesOf(phone)).toEqual(['sebelum', 'malam dua', 'malam tiga']);
  });
});

describe('many messages in a row', () => {
  it('ring three times on a device, then once in 20 seconds with the newest one, and nothing stays owed', async () => {
    const { test, send, subscribe, bodiesOf, pushes, countOwed, ratna, budi } = await openOffice();
    const siti = buildTestUser(test, { name: 'Siti' });
    const desk = await subscribe(ratna);
    const write = async (count: number) => {
      for (let number = 1; number <= count; number += 1) {
        await send(budi, ratna, `ke-${number}`);
        await pushes.settled();
      }
    };
    await write(48);
    expect(await bodiesOf(desk)).toEqual(['ke-1', 'ke-2', 'ke-3']);
    expect([countOwed(), (await pushes.status()).waiting]).toEqual([1, 1]);
    // Another conversation does not wait for this one.
    await send(siti, ratna, 'dari Siti');
    expect((await bodiesOf(desk)).slice(3)).toEqual(['dari Siti']);
    test.clock.advance(19_999);
    expect(await bodiesOf(desk)).toHaveLength(4);
    test.clock.advance(1);
    expect((await bodiesOf(desk)).slice(4)).toEqual(['ke-48']);
    expect([countOwed(), (await pushes.status()).waiting]).toEqual([0, 0]);
    await write(10);
    test.clock.advance(20_000);
    expect((await bodiesOf(desk)).slice(5)).toEqual(['ke-10']);
    // After a rest they are told at once again.
    test.clock.advance(MINUTE_MS);
    await write(4);
    expect((await bodiesOf(desk)).slice(6)).toEqual(['ke-1', 'ke-2', 'ke-3']);
  });

  it('ring three times in 20 seconds on a device when they come from many accounts; the others make no sound', async () => {
    const { test, send, subscribe, bodiesOf, countOwed, ratna } = await openOffice();
    const [desk, other] = [await subscribe(ratna), await subscribe(buildAdmin(test))];
    const accounts = Array.from({ length: 50 }, (_, index) => buildTestUser(test, { name: `Akun ${index}` }));
    const ringsOf = (device: typeof desk) =>
      service.payloadsOf(device).filter(({ silent }) => silent === undefined).length;
    for (const account of accounts) await send(account, ratna, 'halo');
    for (const device of [desk, other]) {
      expect(await bodiesOf(device)).toHaveLength(50);
      expect(ringsOf(device)).toBe(3);
    }
    expect(countOwed()).toBe(0);
    test.clock.advance(19_999);
    await send(buildTestUser(test), ratna, 'masih senyap');
    await test.pushes.settled();
    expect(service.payloadsOf(desk).at(-1)).toMatchObject({ body: 'masih senyap', silent: true });
    test.clock.advance(1);
    await send(buildTestUser(test), ratna, 'berbunyi');
    await test.pushes.settled();
    expect(ringsOf(desk)).toBe(4);
  });

  it('count no push that was not accepted', async () => {
    let now = 0;
    // Like a real clock, it is never the same for two who look at it.
    const office = await openOffice({ monotonicNow: () => (now += 0.001) });
    const { test, send, subscribe, pushes, ratna } = office;
    const desk = await subscribe(ratna);
    service.answerNextOf(desk, { status: 400 }, { status: 400 }, { status: 400 });
    for (const content of ['satu', 'dua', 'tiga', 'empat', 'lima', 'enam', 'tujuh']) {
      await send(buildTestUser(test), ratna, content);
      await pushes.settled();
    }
    const rang = service.payloadsOf(desk).map(({ silent }) => silent === undefined);
    expect(rang).toEqual([true, true, true, true, true, true, false]);
  });

  it('disappear at once when they are read while the newest one waits', async () => {
    const { send, subscribe, see, bodiesOf, pushes, countOwed, ratna, budi } = await openOffice();
    const desk = await subscribe(ratna);
    for (const content of ['satu', 'dua', 'tiga', 'empat']) {
      await send(budi, ratna, content);
      await pushes.settled();
    }
    await see(ratna, budi.id);
    expect(await bodiesOf(desk)).toEqual(['satu', 'dua', 'tiga', '(read)']);
    expect([countOwed(), (await pushes.status()).waiting]).toEqual([0, 0]);
  });
});

describe('push services', () => {
  it('deletes a subscription that its push service has ended', async () => {
    const { send, pushes, countSubscriptions, countOwed, subscribe, test, ratna, budi, phone } = await openOffice();
    const tablet = await subscribe(buildSession(test, budi.id));
    service.answerNextOf(phone, { status: 410 });
    service.answerNextOf(tablet, { status: 404 });
    await send(ratna, budi);
    await pushes.settled();
    expect([countSubscriptions(), countOwed(), (await pushes.status()).failed]).toEqual([0, 0, 0]);
  });

  it('tries again what a busy push service refused, with the newest message, for as long as it is unread', async () => {
    const office = await openOffice();
    const { test, send, pushes, bodiesOf, see, countOwed, ratna, budi, phone } = office;
    service.answerNextOf(phone, { status: 429, headers: { 'retry-after': '600' } }, { status: 500 });
    await send(ratna, budi, 'satu');
    await send(ratna, budi, 'dua');
    expect(await bodiesOf(phone)).toHaveLength(1);
    expect(await pushes.status()).toMatchObject({ waiting: 1, sent: 0, reaches_out: true });
    expect((await pushes.status()).last_failure?.message).toContain('sedang sibuk (kode 429)');
    test.clock.advance(599_999);
    expect(await bodiesOf(phone)).toHaveLength(1);
    test.clock.advance(1);
    expect(await bodiesOf(phone)).toHaveLength(2);
    expect(countOwed()).toBe(1);
    passFirstBackoff(office);
    expect((await bodiesOf(phone)).slice(1)).toEqual(['dua', 'dua']);
    expect([countOwed(), (await pushes.status()).waiting]).toEqual([0, 0]);
    service.answerNextOf(phone, { status: 500 });
    await send(ratna, budi, 'tiga');
    await pushes.settled();
    await see(budi, ratna.id);
    passFirstBackoff(office);
    // The notification of the conversation is withdrawn, and the third message never comes.
    expect((await bodiesOf(phone)).slice(4)).toEqual(['(read)']);
  });

  it('gives up a message after a day', async () => {
    const { test, send, pushes, bodiesOf, countOwed, ratna, budi, phone } = await openOffice();
    service.answerNextOf(phone, 'reset');
    await send(ratna, budi, 'satu');
    await pushes.settled();
    expect(await pushes.status()).toMatchObject({ waiting: 1, failed: 0, reaches_out: false });
    expect((await pushes.status()).last_failure?.message).toContain('Periksa sambungan internet');
    test.clock.advance(24 * HOUR_MS);
    expect(await bodiesOf(phone)).toHaveLength(1);
    expect(await pushes.status()).toMatchObject({ waiting: 0, failed: 1 });
    expect(countOwed()).toBe(0);
  });

  it('sends without its text what was too large, and drops what was refused', async () => {
    const { send, pushes, bodiesOf, ratna, budi, phone } = await openOffice();
    service.answerNextOf(phone, { status: 413 });
    await send(ratna, budi, 'panjang');
    expect(await bodiesOf(phone)).toEqual(['panjang', '']);
    expect(service.payloadsOf(phone).at(-1)).not.toHaveProperty('action_token');
    service.answerNextOf(phone, { status: 400 });
    await send(ratna, budi, 'ditolak');
    expect(await bodiesOf(phone)).toHaveLength(3);
    expect(await pushes.status()).toMatchObject({ waiting: 0, sent: 1, failed: 2 });
  });

  it('goes on after pushes that could not even be tried, as while the key cannot be read', async () => {
    const transport = createPushTransport();
    let isBroken = true;
    const push = {
      transport: {
        ...transport,
        send: async (request: Parameters<typeof transport.send>[0]) => {
          if (isBroken) throw new Error('EIO');
          return transport.send(request);
        },
      },
      queueLimits: { ...QUEUE_LIMITS, runningMax: 2 },
    };
    const office = await openOffice({ push });
    const { test, send, subscribe, bodiesOf, pushes, countOwed, ratna, budi, phone } = office;
    const devices = [phone, await subscribe(buildSession(test, budi.id)), await subscribe(buildSession(test, budi.id))];
    test.expectErrorLog(/a push notification failed/);
    await send(ratna, budi, 'satu');
    for (const device of devices) expect(await bodiesOf(device)).toEqual([]);
    expect([countOwed(), (await pushes.status()).waiting]).toEqual([3, 3]);
    isBroken = false;
    passFirstBackoff(office);
    for (const device of devices) expect(await bodiesOf(device)).toEqual(['satu']);
  });

  it('stores a message and answers although the push service never does', async () => {
    const { send, pushes, test, ratna, budi, phone } = await openOffice();
    service.answerNextOf(phone, 'held', 'held');
    await send(ratna, budi, 'satu');
    await expect.poll(() => service.payloadsOf(phone)).toHaveLength(1);
    await send(ratna, budi, 'dua');
    expect((await pushes.status()).waiting).toBe(1);
    // The messages of the meantime follow at once.
    service.release();
    await expect.poll(() => service.payloadsOf(phone).map(({ body }) => body)).toEqual(['satu', 'dua']);
    service.release();
    await pushes.settled();
    expect(await test.pushes.status()).toMatchObject({ waiting: 0, sent: 2 });
  });
});

describe('a message that was read elsewhere', () => {
  it('disappears where it was shown, except on the device that asked, on connected pages, and for messages that stay unread', async () => {
    const { test, send, subscribe, see, bodiesOf, ratna, budi, phone } = await openOffice();
    const [otherSession, openSession, newSession] = [0, 1, 2].map(() => buildSession(test, budi.id));
    if (!otherSession || !openSession || !newSession) throw new Error('three sessions');
    const [tablet, desktop] = [await subscribe(otherSession), await subscribe(openSession)];
    const { _id: firstId } = await send(ratna, budi, 'satu');
    await send(ratna, budi, 'dua');
    await test.pushes.settled();
    const fresh = await subscribe(newSession);
    const page = await openTab(test, openSession);
    await waitForPendingEvents(test, page);
    await see(budi, ratna.id, { up_to: firstId });
    expect((await bodiesOf(tablet)).at(-1)).toBe('dua');
    // 'Tandai dibaca' in the notification of the phone.
    const actionToken = service.payloadsOf(phone).at(-1)?.action_token;
    const body = { action: 'read', action_token: actionToken };
    expect((await test.call('POST', '/api/push/actions', { body })).status).toBe(200);
    expect((await bodiesOf(tablet)).at(-1)).toBe('(read)');
    expect(service.payloadsOf(tablet).at(-1)).toMatchObject({ read: true, unread: 0, tag: `pbb-chat-${budi.id}` });
    const others = [await bodiesOf(phone), await bodiesOf(desktop), await bodiesOf(fresh)];
    expect(others.flat()).not.toContain('(read)');
    // A new message is told everywhere again.
    await send(ratna, budi, 'tiga');
    expect((await bodiesOf(tablet)).at(-1)).toBe('tiga');
    expect((await bodiesOf(phone)).at(-1)).toBe('tiga');
  });

  it('disappears also where its push was still on its way, whether or not a page is open there', async () => {
    const { test, send, see, bodiesOf, ratna, budi, phone } = await openOffice();
    const page = await openTab(test, budi);
    await waitForPendingEvents(test, page);
    service.answerNextOf(phone, 'held');
    await send(ratna, budi, 'satu');
    await expect.poll(() => service.payloadsOf(phone)).toHaveLength(1);
    await see(budi, ratna.id);
    service.release();
    expect(await bodiesOf(phone)).toEqual(['satu', '(read)']);
    await send(ratna, budi, 'dua');
    expect(await bodiesOf(phone)).toEqual(['satu', '(read)', 'dua']);
  });

  it('disappears for all admins when one has read it, and when the history was deleted', async () => {
    const { test, send, subscribe, see, clear, bodiesOf, ratna, budi, phone } = await openOffice();
    const fitri = buildAdmin(test, { name: 'Ibu Fitri' });
    const office = await subscribe(fitri);
    await send(budi, ratna, 'satu');
    await send(ratna, budi, 'dua');
    await test.pushes.settled();
    await see(ratna, budi.id);
    expect(await bodiesOf(office)).toEqual(['satu', '(read)']);
    await clear(ratna, budi.id);
    expect(await bodiesOf(phone)).toEqual(['dua', '(read)']);
  });
});

describe('an owed message', () => {
  it('comes after a restart, and not what was delivered or read before', async () => {
    const first = await openOffice();
    const { test, send, subscribe, see, pushes, countOwed, ratna, budi, phone } = first;
    const siti = buildTestUser(test, { name: 'Siti' });
    const [ofSiti, office] = [await subscribe(siti), await subscribe(ratna)];
    await send(ratna, siti, 'sudah sampai');
    await send(siti, ratna, 'sudah dibaca');
    await pushes.settled();
    expect(countOwed()).toBe(0);
    service.setDefaultAnswer('reset');
    await send(ratna, budi, 'tertunda');
    await send(siti, ratna, 'dibaca di komputer');
    await send(budi, ratna, 'juga tertunda');
    await pushes.settled();
    await see(ratna, siti.id);
    expect(countOwed()).toBe(2);
    service.setDefaultAnswer({ status: 201 });
    const from = service.received.length;
    await test.server.close();

    const second = await buildPushApp(service, { database: test.database, now: test.clock.now });
    await second.pushes.tick();
    await second.pushes.settled();
    const resumed = service.received.slice(from).map(({ payload }) => payload.body);
    expect(resumed.toSorted()).toEqual(['juga tertunda', 'tertunda']);
    expect([service.payloadsOf(phone).at(-1)?.body, service.payloadsOf(office).at(-1)?.body]).toEqual([
      'tertunda',
      'juga tertunda',
    ]);
    expect(service.payloadsOf(ofSiti)).toHaveLength(1);
    expect(countOwed()).toBe(0);
  });

  it('waits while another process leads, and comes once when this one leads again', async () => {
    let isLeader = true;
    const openBus: OpenBus = async () => ({ send: () => {}, isLeader: () => isLeader, close: async () => {} });
    const { test, send, bodiesOf, pushes, countOwed, ratna, budi, phone } = await openOffice({ openBus });
    service.answerNextOf(phone, { status: 503 });
    await send(ratna, budi, 'satu');
    expect(await bodiesOf(phone)).toHaveLength(1);
    isLeader = false;
    await pushes.tick();
    await send(ratna, budi, 'dua');
    expect([(await pushes.ownStatus()).waiting, countOwed()]).toEqual([0, 1]);
    passFirstBackoff({ test });
    await pushes.tick();
    expect(await bodiesOf(phone)).toHaveLength(1);
    isLeader = true;
    expect((await bodiesOf(phone)).slice(1)).toEqual(['dua']);
    expect(countOwed()).toBe(0);
  });

  it('comes also to devices for which the queue had no place', async () => {
    const transport = createPushTransport();
    const push = { transport, queueLimits: { ...QUEUE_LIMITS, jobsMax: 2 } };
    const { test, send, subscribe, bodiesOf, countOwed, pushes, ratna, budi, phone } = await openOffice({ push });
    const devices = [phone];
    for (let index = 0; index < 5; index += 1) devices.push(await subscribe(buildSession(test, budi.id)));
    await send(ratna, budi, 'satu');
    for (const device of devices) expect(await bodiesOf(device)).toEqual(['satu']);
    expect([countOwed(), (await pushes.status()).waiting]).toEqual([0, 0]);
  });

  it('stands in the database also after the commit that clears older messages', async () => {
    const { test, send, subscribe, pushes, countOwed, ratna, budi } = await openOffice();
    await subscribe(ratna);
    await send(budi, ratna, 'satu');
    await expect.poll(() => pushes.status()).toMatchObject({ sent: 1, waiting: 0 });
    expect(countOwed()).toBe(1);
    const cleared = pushes.tick();
    const message = { id: 99, userId: budi.id, fromAdmin: false };
    await Promise.all([cleared, test.context.write((tx) => pushes.messageStoring(tx, message))]);
    expect(countOwed()).toBe(1);
  });

  it('stands in the database also when it was stored just before the clearing of older messages, in the same commit', async () => {
    const { test, send, bodiesOf, pushes, countOwed, ratna, budi, phone } = await openOffice();
    await send(ratna, budi, 'satu');
    await expect.poll(() => pushes.status()).toMatchObject({ sent: 1, waiting: 0 });
    service.answerNextOf(phone, { status: 503 });
    const notice = { actor: ratna, userId: budi.id, content: 'dua' };
    await Promise.all([test.context.write((tx) => test.storeNotice(tx, notice)), pushes.tick()]);
    expect(countOwed()).toBe(1);
    // Nothing told of the commit.
    expect(await bodiesOf(phone)).toEqual(['satu', 'dua']);
    expect(countOwed()).toBe(1);
  });

  it('comes for a change that goes on after it was stored, and not for one that is taken back', async () => {
    const { test, send, bodiesOf, pushes, countOwed, ratna, budi, phone } = await openOffice();
    const storeSlowly = (content: string, isKept: boolean) =>
      test.context.write(async (tx) => {
        const publish = await test.storeNotice(tx, { actor: ratna, userId: budi.id, content });
        for (let step = 0; step < 50; step += 1) await tx.value('select 1');
        if (!isKept) throw new Error('taken back');
        return publish;
      });
    const publish = await storeSlowly('satu', true);
    await publish();
    expect(await bodiesOf(phone)).toEqual(['satu']);
    await expect(storeSlowly('dua', false)).rejects.toThrow('taken back');
    await pushes.tick();
    await send(ratna, budi, 'tiga');
    expect(await bodiesOf(phone)).toEqual(['satu', 'tiga']);
    expect(countOwed()).toBe(0);
  });

  it('stands in the database with the message itself, and only for devices that get a push', async () => {
    const { test, send, countOwed, wish, pushes, subscribe, ratna, budi, phone } = await openOffice();
    service.answerNextOf(phone, 'held');
    await send(ratna, budi, 'satu');
    // A crash before the first push would find it.
    expect(countOwed()).toBe(1);
    await expect.poll(() => service.payloadsOf(phone)).toHaveLength(1);
    service.release();
    await pushes.settled();
    expect(countOwed()).toBe(0);
    const page = await openTab(test, budi);
    page.socket.emit('viewing', { open: true });
    await waitForPendingEvents(test, page);
    await send(ratna, budi, 'dua');
    expect(countOwed()).toBe(0);
    const siti = buildTestUser(test);
    await subscribe(siti);
    await wish(siti, { enabled: false });
    await send(ratna, siti, 'tiga');
    expect(countOwed()).toBe(0);
  });
});
