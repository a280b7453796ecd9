import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Call } from '#shared/api/calls/call.ts';
import { calls } from '#shared/api/calls.ts';
import { erasureRequests } from '#server/db/schema.ts';
import { cellsOf, nopOf } from '#server/testing/dhkp.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';
import { buildSubscriptionBody, pushSettings } from '#server/testing/push.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

/*
 * A user gets nothing of the office's list but the own objects (R-DHKP-36). The test writes random words into the notes of
 * assessments, into the request and the objects of a neighbour, and into an object without an account. They must be in
 * no answer to any call that a user may make, as the table of calls lists them, in no event and in no push.
 * e2e/user-files.e2e.ts reads the files and prints that the browser makes from these answers.
 */

const word = (kind: string): string => `${kind}-${randomUUID().slice(0, 13)}`;
/** Occurs in the list alone. */
const FOREIGN_AMOUNT = 7_654_321;
const FOREIGN_NOPS = [nopOf(2), nopOf(3)];

async function buildListedNeighbours() {
  const markers = {
    note: word('catatan'),
    receiver: word('penerima'),
    neighbour: word('tetangga'),
    unlinked: word('tanpa-akun'),
    claim: word('permintaan'),
    reason: word('alasan'),
  };
  const pushes: string[] = [];
  const app = await buildLinkApp({
    settings: { ...pushSettings, rateLimits: false },
    push: {
      transport: {
        async send({ text }) {
          pushes.push(text);
          return { kind: 'sent' };
        },
        close: async () => undefined,
      },
    },
  });
  const { test, user, asUser, asAdmin } = app;
  const neighbour = buildTestUser(test, { name: 'Wati' });

  /** The office imports, writes notes, links and answers. */
  async function work(): Promise<string> {
    const foreign = { amount: String(FOREIGN_AMOUNT) };
    await app.importList([
      cellsOf(1, { amount: '52000' }),
      cellsOf(2, { ...foreign, name: markers.neighbour, object_address: markers.neighbour }),
      cellsOf(3, { ...foreign, name: markers.unlinked, object_address: markers.unlinked }),
    ]);
    for (const nop of [nopOf(1), ...FOREIGN_NOPS]) {
      const { id, updated_at } = await app.assessmentOf(nop);
      const decided = {
        condition: 'ok',
        note: markers.note,
        handed_out_on: '2026-03-01',
        handed_out_to: markers.receiver,
      };
      const body = { ...decided, area_id: null, collector_id: null, updated_at };
      expect((await asAdmin('PUT', `/admin/dhkp/${id}`, body)).status).toBe(200);
    }
    const numbers = { sptNumber: nopOf(3), year: 2025, amountSen: 100_00 };
    // The own records name objects that are linked to another account, or to none.
    buildRecord(test, user.id, numbers);
    buildRecord(test, user.id, { ...numbers, sptNumber: nopOf(2) });
    await app.linked(nopOf(1));
    await app.linked(nopOf(2), neighbour);
    await asUser('POST', '/tax-records/claims', { nop: nopOf(3), note: markers.claim }, neighbour);
    await asUser('POST', '/tax-records/claims', { nop: nopOf(3) });
    const claims = (await asAdmin('GET', '/admin/claims?state=open')).body.data as {
      data: { id: string; user: { id: string } }[];
    };
    for (const { id, user: claimer } of claims.data) {
      const reason = claimer.id === user.id ? 'Bukan objek Anda' : markers.reason;
      expect((await asAdmin('POST', `/admin/claims/${id}/reject`, { reason })).status).toBe(200);
    }
    await test.pushes.settled();
    const list = await asAdmin('GET', '/admin/dhkp?year=2026');
    const answered = await asAdmin('GET', '/admin/claims');
    return list.raw.toString() + answered.raw.toString();
  }
  /** The words and the foreign numbers in a text. The own records and requests name the numbers of foreign objects. */
  const found = (text: string): string[] =>
    [...Object.values(markers), String(FOREIGN_AMOUNT)].filter((marker) => text.includes(marker));
  return { ...app, neighbour, work, found, markers, pushes };
}

it('lets no answer of any call of a user tell anything of notes, of requests of others and of their objects', async () => {
  const built = await buildListedNeighbours();
  const { admin, user, neighbour, work, found, markers, asUser, asAdmin, assessmentOf } = built;
  const at = { dueAt: 0, askedAt: 0, createdAt: 0, updatedAt: 0 };
  const request = { id: 'e1', userId: user.id, state: 'withdrawn', ...at } as const;
  built.test.database.direct.insert(erasureRequests).values(request).run();
  // An admin gets all of it, so the search can find something.
  expect(found(await work())).toEqual([...Object.values(markers), String(FOREIGN_AMOUNT)]);
  const recordIds = (await asAdmin('GET', '/admin/tax-records')).body.data as { data: { id: string }[] };
  const claimIds = (await asAdmin('GET', '/admin/claims')).body.data as { data: { id: string }[] };
  const assessments = await Promise.all([nopOf(1), ...FOREIGN_NOPS].map((nop) => assessmentOf(nop)));
  const ids = [
    ...[admin, user, neighbour].map(({ id }) => id),
    ...[...recordIds.data, ...claimIds.data, ...assessments].map(({ id }) => id),
    '2025',
    '2026',
  ];
  const searches = ['', ...Object.values(markers), nopOf(3), 'NOP'].map((text) => `?search=${text}&q=${text}`);
  const asked = Object.entries<Call>(calls).filter(([key]) => key.startsWith('GET '));
  const succeeded = new Set<string>();
  for (const [key, { access }] of asked) {
    const path = key.slice('GET '.length);
    const urls = path.includes('{')
      ? ids.map((id) => path.replaceAll(/\{\w+\}/g, id))
      : (access === 'admin' ? searches.slice(0, 1) : searches).map((query) => `${path}${query}`);
    for (const url of urls) {
      const answer = await asUser('GET', url);
      if (answer.status < 300) succeeded.add(key);
      expect(found(`${JSON.stringify(answer.headers)} ${answer.raw.toString()}`), url).toEqual([]);
    }
  }
  // A new call of users is asked with success by itself.
  const own = asked.filter(([, { access }]) => access === 'session').map(([key]) => key);
  expect(own.filter((key) => !succeeded.has(key))).toEqual([]);
  // The records that make up prints and exports, and the changes that may be made of them.
  for (const year of [2026, 2027]) await asUser('POST', '/tax-records/auto-create', { year });
  const records = await asUser('GET', '/tax-records');
  expect(found(records.raw.toString())).toEqual([]);
  for (const { id } of recordIds.data) {
    const body = { fields: ['name', 'address', 'amount', 'due_date'], updated_at: new Date(0).toISOString() };
    expect(found((await asUser('POST', `/tax-records/${id}/adopt-assessment`, body)).raw.toString())).toEqual([]);
  }
});

it('sends no user any of it in an event or a push', async () => {
  const { test, user, work, found, pushes } = await buildListedNeighbours();
  const subscribed = await test.call('PUT', '/api/push/subscription', {
    token: user.token,
    body: buildSubscriptionBody(),
  });
  expect(subscribed.status).toBe(200);
  const tab = await openTab(test, user);
  await work();
  await waitForPendingEvents(test, tab);
  const names = new Set<string>(tab.received().map(({ event }) => event));
  expect(names.has('claim:changed') && names.has('tax-record:changed')).toBe(true);
  expect(['dhkp:batch', 'dhkp:changed'].filter((event) => names.has(event))).toEqual([]);
  expect(found(JSON.stringify(tab.received()))).toEqual([]);
  const foreignClaims = tab.payloadsOf('claim:changed').filter(({ user_id: id }) => id !== user.id);
  expect(foreignClaims).toEqual([]);
  expect(pushes.length).toBeGreaterThan(0);
  expect(found(pushes.join())).toEqual([]);
});
