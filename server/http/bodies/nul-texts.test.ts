import { describe, expect, it } from 'vitest';
import type { Note } from '#shared/api/chat/inbox.ts';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { loggerOptions } from '#server/http/logs/logging.ts';
import { indexNewer } from '#server/messages/message-index-queries.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildListApp, cellsOf, listText } from '#server/testing/dhkp.ts';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { withoutEscapedNul, withoutNulFields } from './nul-texts.ts';

// This file runs on SQLite and on PostgreSQL, which could not store any of these texts.

const json = { 'content-type': 'application/json' };
const fields = { name: 'Si\0ti', address: '\0Jl. Mawar\0 2', spt_number: '3\x002', notes: 'Tun\0ai' };
const CLEAN = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: '32', notes: 'Tunai' };

async function buildPeople() {
  const chat = await buildChatApp();
  const ratna = buildAdmin(chat.test, { name: 'Ratna' });
  const budi = buildTestUser(chat.test, { name: 'Budi' });
  return { ...chat, ratna, budi };
}

describe('U+0000 in what a client sends (R-API-21)', () => {
  it('stays out of a message, and a search with it finds the message', async () => {
    const { test, send, history, ratna, budi } = await buildPeople();
    const message = await send(budi, ratna, '\0Selamat\0 pagi\0');
    expect(message.content).toBe('Selamat pagi');
    expect((await history(ratna, budi.id)).messages).toEqual([message]);
    await test.context.write((tx) => indexNewer(tx, 10));
    for (const path of ['/api/messages/search', '/api/admin/messages/search']) {
      const token = path.includes('admin') ? ratna.token : budi.token;
      const found = await test.call('GET', `${path}?q=sela%00mat&li%00mit=1`, { token });
      expect(found).toMatchObject({ status: 200, body: { data: { data: [{ snippet: 'Selamat pagi' }] } } });
    }
  });

  it('stays out of a note, the name of an account and the audit', async () => {
    const { test, ratna, budi } = await buildPeople();
    const path = `/api/admin/conversations/${budi.id}/notes`;
    const body = { content: 'Te\0lepon', client_id: 'c1' };
    expect((await test.call('POST', path, { token: ratna.token, body })).status).toBe(201);
    const notes: Note[] = (await test.call('GET', path, { token: ratna.token })).body.data;
    expect(notes.map(({ content }) => content)).toEqual(['Telepon']);
    const renamed = await test.call('PUT', '/api/auth/user', { token: budi.token, body: { name: 'Budi\0 Santoso' } });
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Budi Santoso' } } });
    const audit = await test.call('GET', '/api/admin/audit', { token: ratna.token });
    expect(JSON.stringify(audit.body)).toContain('Budi Santoso');
    expect(JSON.stringify(audit.body)).not.toContain(String.raw`\u0000`);
  });

  it('stays out of a record, sent as JSON or as a form, and hides no record from a search', async () => {
    const { test, ratna, budi } = await buildPeople();
    const { token } = budi;
    const sent = await test.call('POST', '/api/tax-records', { token, body: { ...fields, amount: 1500 } });
    const upload = { bytes: buildImage('png'), filename: 'bu\0kti.png' };
    const form = await test.call('POST', '/api/tax-records', {
      token,
      ...buildForm({ ...fields, 'am\0ount': '15\x0000' }, upload),
    });
    for (const answer of [sent, form]) {
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const record: TaxRecord = answer.body.data;
      expect(record).toMatchObject({ ...CLEAN, amount: 1500 });
    }
    const list = await test.call('GET', '/api/admin/tax-records?search=Maw%00ar', { token: ratna.token });
    expect(list).toMatchObject({ status: 200, body: { data: { total: 2 } } });
  });

  it('leaves the id in a path as it is without it', async () => {
    const { test, ratna, budi } = await buildPeople();
    const get = (id: string) => test.call('GET', `/api/admin/users/${id}`, { token: ratna.token });
    expect(await get(`%00${budi.id}`)).toMatchObject({ status: 200, body: { data: { name: 'Budi' } } });
    expect((await get('%00')).status).toBe(404);
  });

  it.each([
    ['a message', 'Pesan wajib diisi', '/api/messages/send', 'content'],
    ['a record', 'Nama wajib diisi', '/api/tax-records', 'name'],
    ['a name', 'Nama wajib diisi', '/api/auth/user', 'name'],
  ])('counts as nothing: %s of nothing else gets 422 as an empty one', async (_what, message, path, field) => {
    const { test, ratna, budi } = await buildPeople();
    const body = { ...fields, amount: 1, to_user_id: ratna.id, [field]: '\0\0' };
    const answer = await test.call(path.endsWith('user') ? 'PUT' : 'POST', path, { token: budi.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.[field]).toEqual([message]);
  });

  it('counts for no limit of a length', async () => {
    const { send, ratna, budi } = await buildPeople();
    expect((await send(budi, ratna, `${'\0'.repeat(500)}${'x'.repeat(2000)}`)).content).toBe('x'.repeat(2000));
  });

  it('makes no other password', async () => {
    const test = await buildTestApp();
    buildTestUser(test, { email: 'budi@contoh.id', passwordHash: cheapHash('rahasia-1') });
    const body = { email: 'budi@contoh.id', password: 'raha\0sia-1' };
    expect((await test.call('POST', '/api/auth/login', { body })).status).toBe(200);
  });

  it('hides no forbidden name of a field, and makes no JSON of what is none', async () => {
    const test = await buildTestApp();
    const bad = [String.raw`{"email":"a@b.id","__pro\u0000to__":{"x":1}}`, String.raw`{"email":"a@b.id"\u0000}`];
    for (const payload of bad)
      expect((await test.call('POST', '/api/auth/login', { payload, headers: json })).status, payload).toBe(400);
    const payload = String.raw`{"em\u0000ail":"a\u0000@b.id","password":"x"}`;
    expect((await test.call('POST', '/api/auth/login', { payload, headers: json })).status).toBe(401);
  });

  it('stays out of an imported list', async () => {
    const { preview, applied, list } = await buildListApp();
    const cells = cellsOf(1, { name: 'War\0ga', object_address: 'Jl.\0 Melati', dusun: 'Kra\0jan' });
    await applied(await preview(listText([cells])));
    expect((await list()).data).toMatchObject([{ name: 'Warga', object_address: 'Jl. Melati' }]);
  });

  it('stays out of what is read from the file of a list', async () => {
    const { test, admin, inState, rows } = await buildListApp();
    const text = listText([cellsOf(1, { name: 'War\0ga' })]).replace('NAMA WP', 'NA\0MA WP');
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    const upload = { field: 'file', filename: 'daf\0tar.csv', type: 'text/csv', bytes };
    const form = buildForm({ year: '2026', client_id: 'c1' }, upload);
    const sent = await test.call('POST', '/api/admin/dhkp/batches', { token: admin.token, ...form });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const batch = await inState((sent.body.data as Batch).id, 'ready');
    expect(batch.file_name).toBe('daftar.csv');
    expect(await rows(batch)).toMatchObject([{ kind: 'new', values: { name: 'Warga' } }]);
  });

  it('leaves the id in a client event as it is without it', async () => {
    const { test, ratna, budi } = await buildPeople();
    const [admin, user] = [await openTab(test, ratna), await openTab(test, budi)];
    admin.socket.emit('typing', { user_id: `\0${budi.id}\0`, typing: true });
    expect(await user.next('typing')).toMatchObject({ user_id: budi.id, typing: true });
  });

  it('stays out of the log of requests', async () => {
    const lines: string[] = [];
    const test = await buildTestApp({ logger: loggerOptions('trace', { write: (line) => void lines.push(line) }) });
    await test.call('GET', '/api/%00?x=%00');
    await test.call('POST', '/api/auth/login', { body: { '\0email': '\0', password: '\0' } });
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => line.includes('\0') || line.includes(String.raw`\u0000`))).toEqual([]);
  });
});

describe('half a surrogate pair (R-API-21)', () => {
  it('becomes U+FFFD, also among many values and in an imported list', async () => {
    const { test, send, history, ratna, budi } = await buildPeople();
    const message = await send(budi, ratna, 'a\ud83d b');
    expect(message.content).toBe('a\ufffd b');
    expect((await history(ratna, budi.id)).messages).toEqual([message]);
    const changes = [{ id: '\udc00', updated_at: '2026-01-01T00:00:00.000Z', status: 'lunas' }];
    const bulk = await test.call('POST', '/api/admin/tax-records/bulk', { token: ratna.token, body: { changes } });
    expect(bulk).toMatchObject({ status: 200, body: { data: { results: [{ changed: false }] } } });
    const { preview, applied, list } = await buildListApp();
    await applied(await preview(listText([cellsOf(1, { name: 'War\ud83dga' })])));
    expect((await list()).data).toMatchObject([{ name: 'War\ufffdga' }]);
  });
});

describe('the functions', () => {
  it('take only escapes that stand for U+0000', () => {
    for (const [value, clean] of [
      ['a\0b', 'ab'],
      ['\\u0000', '\\u0000'],
      ['\\\0', '\\'],
      ['\\\\\0"\0', '\\\\"'],
    ])
      expect(JSON.parse(withoutEscapedNul(JSON.stringify({ value })))).toEqual({ value: clean });
  });

  it('leave other values of fields alone', () => {
    expect(withoutNulFields({ 'a\0': ['x\0', 1], b: null, c: true })).toEqual({ a: ['x', 1], b: null, c: true });
  });
});
