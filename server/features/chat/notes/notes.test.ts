import { mkdirSync, rmSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { expect, describe, it, onTestFinished } from 'vitest';
import type { Note } from '#shared/api/chat/inbox.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser, ownPassword, type SignedInUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import type { Answer, TestOverrides } from '#server/testing/test-app.ts';

const FORBIDDEN = { success: false, message: 'Anda tidak memiliki akses' };

async function buildNotesApp(overrides: TestOverrides = {}) {
  const chat = await buildChatApp(overrides);
  const { test } = chat;
  const [ratna, sari] = [buildAdmin(test), buildAdmin(test, { name: 'Sari' })];
  const [budi, wati] = [buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id' }), buildTestUser(test)];
  const call = (method: string, path: string, { token }: { token?: string }, body?: unknown): Promise<Answer> =>
    test.call(method, `/api/admin${path}`, { token, ...(body === undefined ? {} : { body }) });
  return {
    ...chat,
    ratna,
    sari,
    budi,
    wati,
    call,
    add: (by: { token: string }, userId: string, content: unknown, clientId: unknown = newId()) =>
      call('POST', `/conversations/${userId}/notes`, by, { content, client_id: clientId }),
    notesOf: async (by: SignedInUser, userId: string): Promise<Note[]> => {
      const answer = await call('GET', `/conversations/${userId}/notes`, by);
      expect(answer.status).toBe(200);
      return answer.body.data;
    },
    remove: (by: { token: string }, id: string) => call('DELETE', `/notes/${id}`, by),
  };
}

describe('notes', () => {
  it('reach another admin in the order of writing, apart from the messages', async () => {
    const { test, add, notesOf, send, history, ratna, sari, budi, wati } = await buildNotesApp();
    await send(budi, ratna, 'Halo');
    const first = await add(ratna, budi.id, '  Minta fotokopi KTP  ', 'satu');
    expect([first.status, first.body]).toEqual([
      201,
      {
        success: true,
        message: 'Catatan disimpan',
        data: {
          _id: '1',
          id: '1',
          user_id: budi.id,
          author: { id: ratna.id, name: 'Ibu Ratna' },
          content: 'Minta fotokopi KTP',
          client_id: 'satu',
          createdAt: '2026-06-10T05:00:00.000Z',
          created_at: '2026-06-10T05:00:00.000Z',
        },
      },
    ]);
    test.clock.advance(1000);
    await add(sari, budi.id, 'Sudah diterima');
    expect((await notesOf(sari, budi.id)).map(({ author, content }) => [author.name, content])).toEqual([
      ['Ibu Ratna', 'Minta fotokopi KTP'],
      ['Sari', 'Sudah diterima'],
    ]);
    expect(await notesOf(ratna, wati.id)).toEqual([]);
    expect((await history(ratna, budi.id)).messages.map(({ content }) => content)).toEqual(['Halo']);
  });

  it('count once for a repeated client_id of the same author', async () => {
    const { add, notesOf, ratna, sari, budi } = await buildNotesApp();
    const first = await add(ratna, budi.id, 'Pertama', 'sama');
    const again = await add(ratna, budi.id, 'Kedua', 'sama');
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(first.body.data);
    expect((await add(sari, budi.id, 'Dari Sari', 'sama')).status).toBe(201);
    const together = await Promise.all(Array.from({ length: 20 }, () => add(ratna, budi.id, 'Bersama', 'serentak')));
    expect(together.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(19).fill(200), 201]);
    expect((await notesOf(ratna, budi.id)).map(({ content }) => content)).toEqual(['Pertama', 'Dari Sari', 'Bersama']);
  });

  it.each([
    ['no content', { client_id: 'x' }, 'Catatan wajib diisi'],
    ['blanks', { content: ' \n ', client_id: 'x' }, 'Catatan wajib diisi'],
    ['2,001 characters', { content: 'a'.repeat(2001), client_id: 'x' }, 'Catatan maksimal 2000 karakter'],
    ['a text that is far too long', { content: 'a'.repeat(900_000), client_id: 'x' }, 'Catatan maksimal 2000 karakter'],
    ['no client_id', { content: 'x' }, 'client_id tidak valid'],
  ])('get 422 with %s', async (_name, body, message) => {
    const { call, notesOf, ratna, budi } = await buildNotesApp();
    const answer = await call('POST', `/conversations/${budi.id}/notes`, ratna, body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
    expect(await notesOf(ratna, budi.id)).toEqual([]);
  });

  it('may have 2,000 characters, emoji counted once', async () => {
    const { add, notesOf, ratna, budi } = await buildNotesApp();
    const longest = '😀'.repeat(2000);
    expect((await add(ratna, budi.id, longest)).status).toBe(201);
    expect((await notesOf(ratna, budi.id))[0]?.content).toBe(longest);
  });

  it('end at 200 in one conversation', async () => {
    const { add, notesOf, remove, ratna, budi, wati } = await buildNotesApp();
    for (let n = 0; n < 200; n += 1) expect((await add(ratna, budi.id, `${n}`, `n${n}`)).status).toBe(201);
    const answer = await add(ratna, budi.id, 'Satu lagi');
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'Percakapan ini sudah punya 200 catatan. Hapus yang tidak perlu dulu.',
    ]);
    expect((await add(ratna, budi.id, '5', 'n5')).status).toBe(200);
    expect((await add(ratna, wati.id, 'Lain')).status).toBe(201);
    await remove(ratna, (await notesOf(ratna, budi.id))[0]?.id ?? '');
    expect((await add(ratna, budi.id, 'Satu lagi')).status).toBe(201);
  });

  it('exist only for users, not for admins or unknown accounts', async () => {
    const { add, call, ratna, sari } = await buildNotesApp();
    for (const [id, status, message] of [
      [newId(), 404, 'User tidak ditemukan'],
      ['__proto__', 404, 'User tidak ditemukan'],
      [sari.id, 403, 'Anda tidak memiliki akses'],
      [ratna.id, 403, 'Anda tidak memiliki akses'],
    ] as const) {
      const answers = [await add(ratna, id, 'x'), await call('GET', `/conversations/${id}/notes`, ratna)];
      for (const answer of answers) expect([answer.status, answer.body.message]).toEqual([status, message]);
    }
  });

  it('answer 401 without a session and 403 to users, before anything is looked up', async () => {
    const { add, call, notesOf, ratna, budi } = await buildNotesApp();
    const { body } = await add(ratna, budi.id, 'Rahasia');
    const { id } = body.data as Note;
    const calls: [string, string, unknown?][] = [
      ['GET', `/conversations/${budi.id}/notes`],
      ['GET', `/conversations/${newId()}/notes`],
      ['POST', `/conversations/${budi.id}/notes`, { content: 5 }],
      ['DELETE', `/notes/${id}`],
      ['DELETE', '/notes/999'],
    ];
    for (const [method, path, content] of calls) {
      expect((await call(method, path, {}, content)).status, `${method} ${path}`).toBe(401);
      const refused = await call(method, path, budi, content);
      expect([refused.status, refused.body], `${method} ${path}`).toEqual([403, FORBIDDEN]);
    }
    expect(await notesOf(ratna, budi.id)).toHaveLength(1);
  });

  it('reach every admin and nobody else as an event, and a repeat sends none', async () => {
    const { test, add, remove, ratna, sari, budi, wati } = await buildNotesApp();
    const admins = [await openTab(test, ratna), await openTab(test, sari)];
    const users = [await openTab(test, budi), await openTab(test, wati)];
    await waitForPendingEvents(test, ...admins, ...users);
    for (const tab of [...admins, ...users]) tab.clearReceived();
    const { id } = (await add(ratna, budi.id, 'Rahasia', 'satu')).body.data as Note;
    await add(ratna, budi.id, 'Rahasia', 'satu');
    await remove(sari, id);
    await waitForPendingEvents(test, ...admins, ...users);
    const change = { event: 'note:changed', payload: { user_id: budi.id } };
    for (const tab of admins) expect(tab.received()).toEqual([change, change]);
    for (const tab of users) expect(tab.received()).toEqual([]);
  });

  it('disappear when any admin deletes them, and the audit says whose note it was but not what it said', async () => {
    const { test, add, remove, notesOf, call, ratna, sari, budi } = await buildNotesApp();
    const { id } = (await add(ratna, budi.id, 'Teks yang dihapus')).body.data as Note;
    const answer = await remove(sari, id);
    expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'Catatan dihapus', data: {} }]);
    expect(await notesOf(ratna, budi.id)).toEqual([]);
    for (const unknown of [id, '0', '-1', '1e3', 'x', '9'.repeat(40)]) {
      const again = await remove(sari, unknown);
      expect([again.status, again.body.message], unknown).toEqual([404, 'Catatan tidak ditemukan']);
    }
    const audit = (await call('GET', '/audit', ratna)).body.data as { data: unknown[] };
    expect(audit.data).toMatchObject([
      {
        action: 'note.deleted',
        actor: { name: 'Sari' },
        subject: { id: budi.id, label: 'Budi (budi@contoh.id)' },
        changes: [
          { field: 'note_author', from: 'Ibu Ratna', to: null },
          { field: 'note_written_at', from: '2026-06-10T05:00:00.000Z', to: null },
        ],
      },
    ]);
    expect(JSON.stringify(test.database.sqlite.prepare('select * from audit_entries').all())).not.toContain('dihapus');
  });

  it('stay when the history is deleted or their author leaves, and go with the account of the user', async () => {
    const { test, add, notesOf, send, clear, call, ratna, sari, budi, wati } = await buildNotesApp();
    await send(budi, ratna, 'Halo');
    await add(sari, budi.id, 'Dari Sari');
    await add(ratna, wati.id, 'Tentang Wati');
    await clear(ratna, budi.id);
    expect((await call('DELETE', `/users/${sari.id}`, ratna, ownPassword)).status).toBe(200);
    expect((await notesOf(ratna, budi.id)).map(({ author, content }) => [author.name, content])).toEqual([
      ['Sari', 'Dari Sari'],
    ]);
    expect((await call('DELETE', `/users/${budi.id}`, ratna)).status).toBe(200);
    expect((await call('GET', `/conversations/${budi.id}/notes`, ratna)).status).toBe(404);
    const kept = test.database.sqlite.prepare('select content from conversation_notes').pluck();
    expect(kept.all()).toEqual(['Tentang Wati']);
  });

  it('leave no text in the files of the database, whether a note or an account was deleted', async () => {
    const dataDir = tempDataDir();
    mkdirSync(dataDir, { recursive: true });
    const database = openTestDatabase(join(dataDir, 'pbb.sqlite'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const { add, remove, call, ratna, budi } = await buildNotesApp({ database });
    const onDisk = (): string =>
      readdirSync(dataDir)
        .map((name) => readFileSync(join(dataDir, name)).toString('latin1'))
        .join('');
    const { id } = (await add(ratna, budi.id, 'KATA-PERTAMA')).body.data as Note;
    await add(ratna, budi.id, 'KATA-KEDUA');
    expect(onDisk()).toContain('KATA-PERTAMA');
    await remove(ratna, id);
    expect(onDisk()).not.toContain('KATA-PERTAMA');
    expect(onDisk()).toContain('KATA-KEDUA');
    expect((await call('DELETE', `/users/${budi.id}`, ratna)).status).toBe(200);
    expect(onDisk()).not.toContain('KATA-KEDUA');
  });
});

describe('a note for a colleague', () => {
  it('marks the conversation for that admin only, until the note was opened', async () => {
    const { test, call, notesOf, ratna, sari, budi, wati } = await buildNotesApp();
    const tab = await openTab(test, ratna);
    const write = (by: SignedInUser, userId: string, forId: unknown) =>
      call('POST', `/conversations/${userId}/notes`, by, {
        content: 'Cek KTP',
        client_id: newId(),
        for_admin_id: forId,
      });
    const forMe = async (by: SignedInUser) => {
      const answer = await call('GET', '/notes/for-me', by);
      expect(answer.status).toBe(200);
      return answer.body.data as { user: { id: string; name: string }; author: { name: string } }[];
    };
    const seen = (by: { token?: string }, userId: string) => call('POST', `/conversations/${userId}/notes/seen`, by);

    const added = await write(ratna, budi.id, sari.id);
    expect([added.status, added.body.data]).toEqual([
      201,
      expect.objectContaining({ for: { id: sari.id, name: 'Sari' }, seen_at: null }),
    ]);
    await write(ratna, budi.id, sari.id);
    await write(ratna, wati.id, null);
    expect(await forMe(sari)).toEqual([
      {
        user: { id: budi.id, name: 'Budi' },
        author: { id: ratna.id, name: 'Ibu Ratna' },
        created_at: expect.any(String),
      },
    ]);
    expect(await forMe(ratna)).toEqual([]);
    expect((await notesOf(ratna, wati.id))[0]).not.toHaveProperty('for');

    // Reading is not opening, and what a colleague opens concerns nobody else.
    expect((await notesOf(sari, budi.id))[0]?.seen_at).toBeNull();
    expect((await seen(ratna, budi.id)).status).toBe(200);
    expect(await forMe(sari)).toHaveLength(1);
    test.clock.advance(1000);
    const told = tab.payloadsOf('note:changed').length;
    expect([(await seen(sari, budi.id)).status, (await seen(sari, budi.id)).body.message]).toEqual([
      200,
      'Catatan ditandai sudah dibuka',
    ]);
    expect(await forMe(sari)).toEqual([]);
    expect((await notesOf(ratna, budi.id))[0]?.seen_at).toBe('2026-06-10T05:00:01.000Z');
    await waitForPendingEvents(test, tab);
    expect(tab.payloadsOf('note:changed').length).toBe(told + 1);
  });

  it('needs an active admin, and users see none of it', async () => {
    const { test, call, notesOf, ratna, budi, wati } = await buildNotesApp();
    const gone = buildAdmin(test, { isActive: false });
    for (const id of [budi.id, wati.id, gone.id, 'x', 7]) {
      const body = { content: 'Cek KTP', client_id: newId(), for_admin_id: id };
      const answer = await call('POST', `/conversations/${budi.id}/notes`, ratna, body);
      expect([answer.status, answer.body.message, answer.body.errors]).toEqual([
        422,
        'Admin ini tidak ada atau tidak aktif',
        { for_admin_id: ['Admin ini tidak ada atau tidak aktif'] },
      ]);
    }
    expect(await notesOf(ratna, budi.id)).toEqual([]);
    expect((await call('GET', '/notes/for-me', {})).status).toBe(401);
    expect((await call('GET', '/notes/for-me', budi)).body).toEqual(FORBIDDEN);
    expect((await call('POST', `/conversations/${budi.id}/notes/seen`, {})).status).toBe(401);
    expect((await call('POST', `/conversations/${budi.id}/notes/seen`, budi)).body).toEqual(FORBIDDEN);
    expect((await call('POST', '/conversations/tidak-ada/notes/seen', ratna)).status).toBe(404);
  });
});
