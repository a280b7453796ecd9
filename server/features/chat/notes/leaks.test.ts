import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { legalVersions } from '#shared/legal-versions.ts';
import type { Message } from '#shared/api/chat/chat.ts';
import type { Note } from '#shared/api/chat/inbox.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import {
  buildAdmin,
  buildRecord,
  buildSession,
  buildTestUser,
  type SignedInUser,
  ownPassword,
} from '#server/testing/factories.ts';
import { buildSubscriptionBody, pushSettings } from '#server/testing/push.ts';
import { uploadFile } from '#server/testing/chat/attachments.ts';
import { writeNotice } from '#server/testing/chat/notices.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import type { Answer, CallOptions, TestApp } from '#server/testing/test-app.ts';

/*
 * Nothing that admins keep among themselves reaches a user (R-NOTE-1). Random words stand in notes, quick replies and in the
 * name of a colleague who never answers; others stand in the record and the file that a neighbour's conversation carries. They
 * are searched for in everything a user receives: in every answer of every route,
 * which are read from the server's own description, so that a new one is asked too, and in every event.
 */

type Parameter = { name: string; in: string };
type Operation = { parameters?: Parameter[]; requestBody?: object };
type Call = { method: string; path: string; operation: Operation };

const API = /^\/api\/(?!docs)/;
/** The fields of a conversation's state that only admins get. */
const ADMIN_EVENTS = [
  'conversation:state',
  'note:changed',
  'quick-replies:changed',
  'viewing',
  'unread:changes',
  'dhkp:batch',
  'dhkp:changed',
  'recovery:changed',
] as const;
const ADMIN_FIELDS = /"(?:claimed_by|snoozed_until|note_count|counts)"/;

async function readCalls(test: TestApp): Promise<Call[]> {
  const answer = await test.call('GET', '/api/docs/openapi.json');
  const { paths } = JSON.parse(answer.raw.toString()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** `file`: the name under which the server keeps a file of the neighbour. */
let markers: { note: string; reply: string; colleague: string; neighbour: string; file: string };
beforeEach(() => {
  const word = (kind: string): string => `${kind}-${randomUUID()}`;
  markers = {
    note: word('catatan'),
    reply: word('balasan'),
    colleague: word('rekan'),
    neighbour: word('tetangga'),
    file: word('berkas'),
  };
});
const found = (text: string): string[] => Object.values(markers).filter((marker) => text.includes(marker));
/** A push has only the beginning of a text. */
const beginningsIn = (text: string): string[] =>
  Object.values(markers).filter((marker) => text.includes(marker.slice(0, 20)));
const textOf = ({ raw, headers }: Answer): string => `${JSON.stringify(headers)} ${raw.toString()}`;

async function buildBusyOffice() {
  /** The texts of all pushes, by endpoint, before they are encrypted. */
  const pushes: { endpoint: string; text: string }[] = [];
  const chat = await buildChatApp({
    settings: { ...pushSettings, rateLimits: false },
    push: {
      transport: {
        async send({ target, text }) {
          pushes.push({ endpoint: target.endpoint, text });
          return { kind: 'sent' };
        },
        close: async () => undefined,
      },
    },
  });
  const { test, send } = chat;
  // The first admin is the one whom users are told of; the colleague stays in the background.
  const ratna = buildAdmin(test, { name: 'Ibu Ratna' });
  const sari = buildAdmin(test, { name: markers.colleague });
  const [budi, wati] = [buildTestUser(test, { name: 'Budi' }), buildTestUser(test, { name: 'Wati' })];
  const as = (who: SignedInUser, method: string, path: string, body?: unknown): Promise<Answer> =>
    test.call(method, `/api${path}`, { token: who.token, ...(body === undefined ? {} : { body }) });
  const note = async (who: SignedInUser, userId: string, text: string): Promise<Note> =>
    (await as(who, 'POST', `/admin/conversations/${userId}/notes`, { content: text, client_id: randomUUID() })).body
      .data;

  /** Everything that admins do beside answering, and answers of the one whom users know. */
  async function work(): Promise<Answer[]> {
    const answers: Answer[] = [];
    const act = async (...step: Parameters<typeof as>): Promise<Answer> => {
      const answer = await as(...step);
      expect(answer.status, `${step[1]} ${step[2]} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      answers.push(answer);
      // Longer than a device has a pause (R-PUSH-21), so that each message is pushed and searched.
      test.clock.advance(20_000);
      await test.pushes.settled();
      return answer;
    };
    /** Each message is pushed by itself, not the next one in its place. */
    const say = async (...step: Parameters<typeof send>): Promise<Message> => {
      const message = await send(...step);
      await test.pushes.settled();
      return message;
    };
    for (const user of [budi, wati]) {
      const first = await say(user, ratna, `Halo, saya ${user.name}`);
      const path = `/admin/conversations/${user.id}`;
      await act(sari, 'POST', `${path}/claim`);
      await note(sari, user.id, `Minta KTP ${markers.note}`);
      const { id } = await note(ratna, user.id, `Kedua ${markers.note}`);
      await act(sari, 'DELETE', `/admin/notes/${id}`);
      const later = new Date(test.clock.now() + 3_600_000).toISOString();
      await act(sari, 'POST', `${path}/snooze`, { until: later, up_to: first.id });
      await act(sari, 'DELETE', `${path}/snooze`);
      await act(sari, 'POST', `${path}/dismiss`, { up_to: first.id });
      await act(sari, 'DELETE', `${path}/dismiss`);
      await act(sari, 'POST', `${path}/release`);
      await act(sari, 'POST', `${path}/claim`);
      const answer = await say(ratna, user, 'Selamat pagi');
      await say(user, ratna, 'Terima kasih');
      await act(ratna, 'POST', '/messages/send', { to_user_id: user.id, content: 'Sama-sama', reply_to: answer.id });
      await act(sari, 'POST', `${path}/claim`, { take: true });
      await act(sari, 'POST', `/messages/conversation/${user.id}/seen`);
      await say(user, ratna, 'Satu lagi');
      const name = user === wati ? markers.neighbour : 'Data Budi';
      const record = buildRecord(test, user.id, { name, address: name, sptNumber: name, checkReason: name });
      const file = await uploadFile(test, ratna, { file: { filename: `${name}.png` }, thumb: buildImage('jpg') });
      if (user === wati) markers.file = /[\w-]{36}/.exec(file.url)?.[0] ?? '';
      const carried = { attachment_ids: [file.id], record_id: record.id };
      await act(ratna, 'POST', '/messages/send', { to_user_id: user.id, content: `Foto: ${name}.png`, ...carried });
      await writeNotice(chat, ratna, user, { content: `Tidak cocok: ${name}`, recordId: record.id });
    }
    const content = `Isi ${markers.reply} {nama}`;
    const reply = { shortcut: 'ktp', title: `Judul ${markers.reply}`, content, personal: false };
    const added = await act(sari, 'POST', '/admin/quick-replies', reply);
    const { id } = added.body.data as { id: string };
    await act(sari, 'POST', `/admin/quick-replies/${id}/fill`, { user_id: budi.id });
    for (const path of [
      `/admin/conversations/${budi.id}/notes`,
      `/admin/conversations/${budi.id}/transcript`,
      '/admin/quick-replies',
      '/messages/conversations',
      `/messages/conversation/${budi.id}`,
    ])
      await act(sari, 'GET', path);
    return answers;
  }
  /** Turns notifications on. @returns all that was pushed to this device so far */
  async function subscribe({ token }: SignedInUser): Promise<() => string[]> {
    const body = buildSubscriptionBody();
    expect((await test.call('PUT', '/api/push/subscription', { token, body })).status).toBe(200);
    return () => pushes.filter(({ endpoint }) => endpoint === body.endpoint).map(({ text }) => text);
  }
  return { ...chat, ratna, sari, budi, wati, work, subscribe };
}

it('gives an admin what is searched for, in answers and events, so that the search can find something', async () => {
  const { test, sari, work } = await buildBusyOffice();
  const tab = await openTab(test, sari);
  const answers = await work();
  await waitForPendingEvents(test, tab);
  expect(new Set(answers.flatMap((answer) => found(textOf(answer))))).toEqual(new Set(Object.values(markers)));
  const { colleague, neighbour, file } = markers;
  expect(found(JSON.stringify(tab.received()))).toEqual([colleague, neighbour, file]);
  expect(answers.some((answer) => ADMIN_FIELDS.test(textOf(answer)))).toBe(true);
});

it('sends no user anything of notes, quick replies, colleagues or claims in an event or a push', async () => {
  const { test, sari, ratna, budi, wati, work, subscribe } = await buildBusyOffice();
  const adminTab = await openTab(test, sari);
  const tabOfWati = await openTab(test, wati);
  const tabs = [await openTab(test, budi), tabOfWati, await openTab(test, budi, { transports: ['polling'] })];
  adminTab.socket.emit('viewing', { user_id: budi.id, user_ids: [budi.id, wati.id] });
  const [pushedToBudi, pushedToWati] = [await subscribe(budi), await subscribe(wati)];
  await work();
  adminTab.close();
  await test.call('DELETE', `/api/messages/conversation/${budi.id}`, { token: ratna.token });
  await test.call('DELETE', `/api/admin/users/${sari.id}`, { token: ratna.token, body: ownPassword });
  await waitForPendingEvents(test, ...tabs);
  for (const tab of tabs) {
    const text = JSON.stringify(tab.received());
    expect(tab.payloadsOf('message:new').length).toBeGreaterThan(3);
    expect(found(text)).toEqual(tab === tabOfWati ? [markers.neighbour, markers.file] : []);
    expect(text).not.toMatch(ADMIN_FIELDS);
    const names = new Set(tab.received().map(({ event }) => event));
    for (const event of ADMIN_EVENTS) expect(names.has(event), event).toBe(false);
  }
  for (const [texts, own] of [
    [pushedToBudi(), []],
    [pushedToWati(), [markers.neighbour]],
  ] as const) {
    expect(texts.length).toBeGreaterThan(3);
    expect(beginningsIn(texts.join())).toEqual(own);
    expect(texts.join()).not.toMatch(ADMIN_FIELDS);
  }
});

/** Bodies that a user sends where the call needs one; each succeeds, so that its answer is searched. */
const bodies: Record<string, (given: { admin: string; email: string }) => CallOptions> = {
  'POST /api/auth/register': ({ email }) => ({
    body: { name: 'Tono', email, password: 'rahasia-saya', password_confirmation: 'rahasia-saya' },
  }),
  'POST /api/auth/recovery': ({ email }) => ({ body: { identifier: email } }),
  'PUT /api/auth/user': () => ({ body: { name: 'Budi Baru' } }),
  'POST /api/auth/consents': () => ({ body: { document: 'terms', version: legalVersions.terms } }),
  'POST /api/messages/attachments': () => buildForm({}, { field: 'file', bytes: buildImage() }),
  'POST /api/messages/send': ({ admin }) => ({ body: { to_user_id: admin, content: 'Halo lagi' } }),
  'PUT /api/push/preferences': () => ({ body: { enabled: true, preview: true, quiet_hours: null } }),
  'PUT /api/push/subscription': () => ({ body: buildSubscriptionBody() }),
  'POST /api/tax-records': () => ({
    ...buildForm(
      {
        name: 'Budi',
        address: 'Jl. Melati 1',
        tax_type: 'PBB',
        spt_number: 'SPT-1',
        amount: '1000',
        status: 'belum_lunas',
      },
      { bytes: buildImage() },
    ),
  }),
  'POST /api/tax-records/claims': () => ({ body: { nop: '351518001200100340' } }),
  'PUT /api/tax-records/{id}': () => ({ body: { name: 'Budi Baru' } }),
  'POST /api/tax-records/{id}/payment-proof': () => buildForm({}, { bytes: buildImage() }),
};
/** Calls that a user of this test cannot make succeed: their refusals are searched all the same. */
const REFUSED = new Set([
  // No password opens an account of the tests.
  'POST /api/auth/login',
  'PUT /api/auth/password',
  'POST /api/auth/export',
  'POST /api/auth/erasure',
  // Need one of the two above; server/features/own-data and server/features/erasures have their tests.
  'GET /api/auth/export-files/{ticket}',
  'GET /api/auth/erasure',
  'DELETE /api/auth/erasure',
  // Needs a code of the office; server/features/auth/recovery.test.ts has its tests.
  'POST /api/auth/recovery/complete',
  // Need the own password, or a ticket after it; server/features/second-factor has their tests.
  'POST /api/auth/login/second-factor',
  'POST /api/auth/second-factor',
  'POST /api/auth/second-factor/confirm',
  'DELETE /api/auth/second-factor',
  // Need a card of the office; server/features/cards has their tests.
  'POST /api/auth/card',
  'POST /api/auth/card/activate',
  // Only admins delete a history.
  'DELETE /api/messages/conversation/{userId}',
  // Needs the token of a notification; server/features/push/actions has its tests.
  'POST /api/push/actions',
  // Needs a photo in the conversation; its answer is that of every call for one record.
  'POST /api/tax-records/{id}/payment-proof/from-message',
  // Needs an object of the office's list that is linked to the account; its answer is that of every call for one record.
  'POST /api/tax-records/{id}/adopt-assessment',
  // Needs an own request, and answers nothing.
  'DELETE /api/tax-records/claims/{id}',
]);

it('answers a user nothing of notes, quick replies, colleagues or claims, whatever route is asked', async () => {
  const { test, ratna, sari, budi, wati, work } = await buildBusyOffice();
  const answers = await work();
  const noteIds = answers.flatMap(({ body }) => (Array.isArray(body.data) ? (body.data as { id?: string }[]) : []));
  const calls = (await readCalls(test)).filter(({ path }) => API.test(path));
  expect(calls.length).toBeGreaterThan(60);
  const succeeded = new Set<string>();
  let asked = 0;

  for (const { method, path, operation } of calls) {
    const name = `${method} ${path}`;
    const ids = [ratna.id, sari.id, budi.id, wati.id, '1', ...noteIds.flatMap(({ id }) => id ?? [])].slice(0, 12);
    const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
    const queryNames = (operation.parameters ?? []).filter((each) => each.in === 'query').map((each) => each.name);
    const queries = ['', ...queryNames.flatMap((each) => valuesOf(each).map((value) => `?${each}=${value}`))];
    for (const id of pathParameters.length === 0 ? [''] : [...ids, 'record', 'session', 'file', '2025']) {
      // A user's own conversation is opened with an admin's id, so the queries are tried with that one.
      for (const query of id === '' || id === ratna.id ? queries : ['']) {
        // Each call has its own session and record, because some of them end or delete what they are called with.
        const { token, sessionId } = buildSession(test, budi.id);
        const needsRecord = path.includes('tax-records') && !path.includes('/admin/');
        const recordId = needsRecord ? buildRecord(test, budi.id).id : '';
        const needsFile = id === 'file' && path.includes('attachments');
        const fileId = needsFile ? (await uploadFile(test, { ...budi, token })).id : '';
        if (name === 'POST /api/push/test')
          await test.call('PUT', '/api/push/subscription', { token, body: buildSubscriptionBody() });
        const value = { record: recordId, session: sessionId, file: fileId }[id] ?? id;
        const url = path.replaceAll(/\{\w+\}/g, encodeURIComponent(value)) + query;
        const given = { admin: ratna.id, email: `tono${asked}@contoh.id` };
        const options = bodies[name]?.(given) ?? (operation.requestBody ? { body: {} } : {});
        const answer = await test.call(method, url, { token, ...options });
        asked += 1;
        if (answer.status < 300) succeeded.add(name);
        const text = textOf(answer);
        expect(found(text), `${method} ${url}`).toEqual([]);
        expect(text, `${method} ${url}`).not.toMatch(ADMIN_FIELDS);
        // A ticket opens a download without a session, and an unknown one is not found.
        if (path.startsWith('/api/admin/') && !path.includes('{ticket}'))
          expect(answer.status, `${method} ${url}`).toBe(403);
      }
    }
  }
  expect(asked).toBeGreaterThan(300);
  // A new route for users is asked with success, or the reason why it cannot be stands above.
  const forUsers = calls.map(({ method, path }) => `${method} ${path}`).filter((name) => !name.includes('/api/admin/'));
  expect(forUsers.filter((name) => !succeeded.has(name) && !REFUSED.has(name))).toEqual([]);
});

/** Values of a query parameter that find much. */
function valuesOf(name: string): string[] {
  if (['q', 'search'].includes(name)) return [...Object.values(markers), 'Minta', 'rekan'];
  if (['before', 'after', 'around'].includes(name)) return ['1', '5'];
  if (name === 'state') return ['waiting', 'snoozed', 'mine', 'unclaimed'];
  if (['from', 'to'].includes(name)) return ['2026-06-10'];
  if (name === 'dateRange') return ['this_year'];
  return ['1'];
}
