import { describe, expect, it } from 'vitest';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { OWN_REPLIES_MAX, SHARED_REPLIES_MAX } from '#shared/limits.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { changeUser } from '#server/testing/rows.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { type Answer, buildTestApp } from '#server/testing/test-app.ts';

const MISSING = 'Balasan cepat tidak ditemukan';
const greeting = { shortcut: 'salam', title: 'Salam', content: 'Selamat pagi, {nama_depan}.' };
const replyOf = (answer: Answer): QuickReply => answer.body.data;

async function buildAppWithAdmins() {
  const test = await buildTestApp();
  const [ratna, fitri] = [buildAdmin(test), buildAdmin(test, { name: 'Fitri' })];
  const url = '/api/admin/quick-replies';
  return {
    test,
    ratna,
    fitri,
    list: async ({ token }: SignedInUser): Promise<QuickReply[]> => (await test.call('GET', url, { token })).body.data,
    create: ({ token }: SignedInUser, body: unknown) => test.call('POST', url, { token, body }),
    update: ({ token }: SignedInUser, id: string, body: unknown) => test.call('PUT', `${url}/${id}`, { token, body }),
    remove: ({ token }: SignedInUser, id: string) => test.call('DELETE', `${url}/${id}`, { token }),
    fill: ({ token }: SignedInUser, id: string, userId: string) =>
      test.call('POST', `${url}/${id}/fill`, { token, body: { user_id: userId } }),
  };
}

describe('a quick reply', () => {
  it('can be created, listed by shortcut, changed and deleted', async () => {
    const { ratna, fitri, list, create, update, remove } = await buildAppWithAdmins();
    const created = await create(ratna, { ...greeting, shortcut: ' Salam ' });
    expect(created).toMatchObject({
      status: 201,
      body: { message: 'Balasan cepat disimpan', data: { ...greeting, personal: false } },
    });
    await create(ratna, { ...greeting, shortcut: 'alamat' });
    expect((await list(fitri)).map(({ shortcut }) => shortcut)).toEqual(['alamat', 'salam']);
    const changed = await update(fitri, replyOf(created).id, { ...greeting, content: 'Halo', title: 'Sapaan' });
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { title: 'Sapaan', content: 'Halo', personal: false } },
    });
    expect(await remove(fitri, replyOf(created).id)).toMatchObject({
      status: 200,
      body: { message: 'Balasan cepat dihapus' },
    });
    expect((await list(ratna)).map(({ shortcut }) => shortcut)).toEqual(['alamat']);
    expect(await remove(fitri, replyOf(created).id)).toMatchObject({ status: 404, body: { message: MISSING } });
  });

  it('that is personal is nobody else’s: not listed, and 404 for every call', async () => {
    const { test, ratna, fitri, list, create, update, remove, fill } = await buildAppWithAdmins();
    const budi = buildTestUser(test);
    const own = replyOf(await create(ratna, { ...greeting, content: 'RAHASIA-RATNA', personal: true }));
    expect(own.personal).toBe(true);
    expect(await list(fitri)).toEqual([]);
    for (const answer of [
      await update(fitri, own.id, { ...greeting, personal: false }),
      await remove(fitri, own.id),
      await fill(fitri, own.id, budi.id),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, MISSING]);
    }
    expect(await list(ratna)).toEqual([own]);
    expect((await fill(ratna, own.id, budi.id)).status).toBe(200);
  });

  it('needs a shortcut of its own among the shared ones, and among those of one admin', async () => {
    const { ratna, fitri, create, update } = await buildAppWithAdmins();
    const TAKEN = 'Singkatan /salam sudah dipakai. Pilih singkatan lain.';
    expect((await create(ratna, greeting)).status).toBe(201);
    expect(await create(fitri, { ...greeting, shortcut: 'SALAM' })).toMatchObject({
      status: 409,
      body: { success: false, message: TAKEN },
    });
    for (const admin of [ratna, fitri]) expect((await create(admin, { ...greeting, personal: true })).status).toBe(201);
    expect((await create(fitri, { ...greeting, personal: true })).status).toBe(409);
    const other = replyOf(await create(fitri, { ...greeting, shortcut: 'lain' }));
    expect((await update(fitri, other.id, greeting)).body.message).toBe(TAKEN);
    expect((await update(fitri, other.id, { ...greeting, shortcut: 'lain', title: 'Baru' })).status).toBe(200);
  });

  it('exists once when two admins choose the same shortcut at once', async () => {
    const { ratna, fitri, create, list } = await buildAppWithAdmins();
    const answers = await Promise.all([ratna, fitri, ratna, fitri].map(async (admin) => create(admin, greeting)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    expect(await list(ratna)).toHaveLength(1);
  });

  it('becomes shared or personal only when asked to', async () => {
    const { ratna, fitri, create, update, list } = await buildAppWithAdmins();
    const own = replyOf(await create(ratna, { ...greeting, personal: true }));
    expect(replyOf(await update(ratna, own.id, { ...greeting, title: 'Baru' })).personal).toBe(true);
    expect(await list(fitri)).toEqual([]);
    expect(replyOf(await update(ratna, own.id, { ...greeting, personal: false })).personal).toBe(false);
    expect(await list(fitri)).toHaveLength(1);
  });

  it('that a colleague has changed since it was loaded is not overwritten', async () => {
    const { ratna, fitri, create, update, list } = await buildAppWithAdmins();
    const loaded = replyOf(await create(ratna, greeting));
    const updated_at = loaded.updated_at;
    expect((await update(fitri, loaded.id, { ...greeting, content: 'Fitri', updated_at })).status).toBe(200);
    expect((await update(ratna, loaded.id, { ...greeting, content: 'Ratna', updated_at })).status).toBe(409);
    expect((await list(ratna))[0]?.content).toBe('Fitri');
  });

  it.each<[object, string, string]>([
    [{ shortcut: '' }, 'shortcut', 'Singkatan wajib diisi'],
    [{ shortcut: 'dua kata' }, 'shortcut', 'Singkatan hanya boleh berisi huruf, angka, garis bawah, dan tanda hubung'],
    [{ shortcut: 'x'.repeat(33) }, 'shortcut', 'Singkatan maksimal 32 karakter'],
    [{ title: ' ' }, 'title', 'Judul wajib diisi'],
    [{ title: 'x'.repeat(81) }, 'title', 'Judul maksimal 80 karakter'],
    [{ content: undefined }, 'content', 'Isi balasan wajib diisi'],
    [{ content: 'x'.repeat(2001) }, 'content', 'Isi balasan maksimal 2000 karakter'],
  ])('with %j is refused with 422', async (change, field, text) => {
    const { ratna, create, list } = await buildAppWithAdmins();
    const answer = await create(ratna, { ...greeting, ...change });
    expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [text] }]);
    expect(await list(ratna)).toEqual([]);
  });

  it('fails beyond the greatest number, with words that say what to do', async () => {
    const { test, ratna, create, update } = await buildAppWithAdmins();
    const fill = test.database.sqlite.prepare(
      "insert into quick_replies (id, owner_id, shortcut, title, content, created_at, updated_at) values (?, ?, ?, 't', 'c', 0, 0)",
    );
    for (let n = 0; n < SHARED_REPLIES_MAX; n += 1) fill.run(`s${n}`, null, `s${n}`);
    for (let n = 1; n < OWN_REPLIES_MAX; n += 1) fill.run(`o${n}`, ratna.id, `o${n}`);
    expect(await create(ratna, greeting)).toMatchObject({
      status: 409,
      body: { message: 'Paling banyak 500 balasan bersama. Hapus yang tidak dipakai.' },
    });
    expect((await create(ratna, { ...greeting, personal: true })).status).toBe(201);
    expect(await create(ratna, { ...greeting, shortcut: 'lain', personal: true })).toMatchObject({
      status: 409,
      body: { message: 'Paling banyak 200 balasan milik sendiri. Hapus yang tidak dipakai.' },
    });
    expect((await update(ratna, 's1', { ...greeting, shortcut: 's1', personal: true })).status).toBe(409);
    expect((await update(ratna, 's1', { ...greeting, shortcut: 's1' })).status).toBe(200);
  });
});

describe('who is told of a change', () => {
  it('all admins of a shared one, only its owner of a personal one, and no user', async () => {
    const { test, ratna, fitri, create, update, remove } = await buildAppWithAdmins();
    const tabs = [await openTab(test, ratna), await openTab(test, fitri), await openTab(test, buildTestUser(test))];
    const received = async (): Promise<number[]> => {
      await waitForPendingEvents(test, ...tabs);
      const counts = tabs.map((tab) => tab.payloadsOf('quick-replies:changed').length);
      for (const tab of tabs) tab.clearReceived();
      return counts;
    };
    const shared = replyOf(await create(ratna, greeting));
    expect(await received()).toEqual([1, 1, 0]);
    const own = replyOf(await create(ratna, { ...greeting, personal: true }));
    await update(ratna, own.id, greeting);
    expect(await received()).toEqual([2, 0, 0]);
    await update(ratna, own.id, { ...greeting, shortcut: 'lain', personal: false });
    expect(await received()).toEqual([1, 1, 0]);
    await remove(fitri, shared.id);
    expect(await received()).toEqual([1, 1, 0]);
  });
});

describe('without the rights', () => {
  const calls: [string, string][] = [
    ['GET', ''],
    ['POST', ''],
    ['PUT', '/x'],
    ['DELETE', '/x'],
    ['POST', '/x/fill'],
  ];
  it.each(calls)('%s %s answers 401 without a session and 403 to a user, before any look-up', async (method, path) => {
    const { test } = await buildAppWithAdmins();
    const user = buildTestUser(test);
    const url = `/api/admin/quick-replies${path}`;
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await test.call(method, url, { body })).status).toBe(401);
    expect((await test.call(method, url, { body, token: user.token })).status).toBe(403);
  });

  it('an admin who lost the role can no longer change them', async () => {
    const { test, ratna, create } = await buildAppWithAdmins();
    changeUser(test, ratna.id, { isAdmin: false });
    expect((await create(ratna, greeting)).status).toBe(403);
  });
});
