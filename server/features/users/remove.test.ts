import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAdmin, buildPerson, buildRecord, type Person } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { storedRecords, storedSessions, storedUsers } from '#server/testing/rows.ts';
import { openTab, settle } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

// The sweep of dead sessions stands still: a second later it would end whatever was forgotten.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const ENDED = { message: 'Sesi Anda telah berakhir. Silakan login kembali.' };

const remove = ({ call }: TestApp, actor: Person, { id }: Person) =>
  call('DELETE', `/api/admin/users/${id}`, { token: actor.token });
const send = ({ call }: TestApp, from: Person, to: Person, content: string) =>
  call('POST', '/api/messages/send', { token: from.token, body: { to_user_id: to.id, content } });
const count = ({ database }: TestApp, table: string, userId: string): unknown =>
  database.sqlite.prepare(`select count(*) from ${table} where user_id = ?`).pluck().get(userId);

/** Somebody with records, images and a conversation, beside somebody else who has the same. */
async function openOffice() {
  const test = await buildTestApp();
  const [ratna, budi, wati] = [buildAdmin(test), buildPerson(test, { name: 'Budi' }), buildPerson(test)];
  const upload = async ({ token }: Person, recordId: string) => {
    const form = buildForm({}, { bytes: buildImage() });
    const answer = await test.call('POST', `/api/tax-records/${recordId}/payment-proof`, { token, ...form });
    expect(answer.status).toBe(200);
    return answer.body.data as { payment_proof: string };
  };
  const records = [buildRecord(test, budi.id), buildRecord(test, budi.id), buildRecord(test, budi.id)];
  const kept = buildRecord(test, wati.id);
  const { payment_proof: link } = await upload(budi, records[0]?.id ?? '');
  await upload(budi, records[1]?.id ?? '');
  const watis = await upload(wati, kept.id);
  await send(test, budi, ratna, 'Selamat pagi');
  await send(test, ratna, budi, 'Pagi');
  await send(test, wati, ratna, 'Dari Wati');
  return { test, ratna, budi, wati, link, keptLink: watis.payment_proof, recordIds: records.map(({ id }) => id) };
}

describe('deleting a user', () => {
  it('takes records, images, sessions and conversation along, and nothing of anybody else', async () => {
    const { test, ratna, budi, wati, link, keptLink } = await openOffice();
    expect(readdirSync(test.proofsDir)).toHaveLength(3);
    const answer = await remove(test, ratna, budi);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: 'User berhasil dihapus', data: {} });

    expect(storedUsers(test).map(({ id }) => id)).toEqual([ratna.id, wati.id]);
    expect(storedRecords(test).map(({ userId }) => userId)).toEqual([wati.id]);
    expect(storedSessions(test).some(({ userId }) => userId === budi.id)).toBe(false);
    for (const table of ['conversations', 'messages', 'tax_records'])
      expect(count(test, table, budi.id), table).toBe(0);
    expect(count(test, 'messages', wati.id)).toBe(1);
    expect(readdirSync(test.proofsDir)).toHaveLength(1);
    expect((await test.call('GET', link)).status).toBe(404);
    expect((await test.call('GET', keptLink)).status).toBe(200);

    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(401);
    const again = await remove(test, ratna, budi);
    expect(again).toMatchObject({ status: 404, body: { success: false, message: 'User tidak ditemukan' } });
  });

  it('ends their tabs, tells the desk, and tells other residents nothing', async () => {
    const { test, ratna, budi, wati, recordIds } = await openOffice();
    const [desk, own, other] = [await openTab(test, ratna), await openTab(test, budi), await openTab(test, wati)];
    await settle(test, desk, own, other);
    for (const tab of [desk, own, other]) tab.forget();
    await remove(test, ratna, budi);
    expect(await own.ended()).toBe('io server disconnect');
    expect(own.heard()).toEqual([{ event: 'session:ended', payload: ENDED }]);
    await settle(test, desk, other);
    expect(desk.all('conversation:deleted')).toEqual([{ user_id: budi.id }]);
    expect(desk.all('unread')).toEqual([{ user_id: budi.id, unread_count: 0, total_unread: 1 }]);
    expect(desk.all('presence')).toEqual([{ user_id: budi.id, online: false }]);
    const changes = recordIds.map((id) => ({ id, user_id: budi.id, change: 'deleted' }));
    expect(desk.all('tax-record:changed')).toEqual(changes);
    expect(other.heard()).toEqual([]);
  });

  it('tells of every record, however many there are', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildPerson(test)];
    const ids = Array.from({ length: 250 }, () => buildRecord(test, budi.id).id);
    const desk = await openTab(test, ratna);
    expect((await remove(test, ratna, budi)).status).toBe(200);
    await settle(test, desk);
    expect(new Set(desk.all('tax-record:changed').map(({ id }) => id))).toEqual(new Set(ids));
    const told = test.database.sqlite.prepare(`select subject_id from audit_entries where action = 'record.deleted'`);
    expect(new Set(told.pluck().all())).toEqual(new Set(ids));
  });

  it('keeps everything, images too, when the transaction fails', async () => {
    const { test, ratna, budi } = await openOffice();
    test.expectErrorLog(/no deletion today/);
    test.database.sqlite.exec(
      `create trigger refuse before delete on messages begin select raise(abort, 'no deletion today'); end`,
    );
    const desk = await openTab(test, ratna);
    const tab = await openTab(test, budi);
    desk.forget();
    const answer = await remove(test, ratna, budi);
    expect(answer).toMatchObject({ status: 500, body: { message: 'Terjadi kesalahan pada server' } });
    await settle(test, desk, tab);
    expect(count(test, 'tax_records', budi.id)).toBe(3);
    expect(readdirSync(test.proofsDir)).toHaveLength(3);
    expect(tab.socket.connected).toBe(true);
    expect([...desk.all('conversation:deleted'), ...desk.all('tax-record:changed')]).toEqual([]);
    expect(
      test.database.sqlite.prepare(`select count(*) from audit_entries where action like '%deleted'`).pluck().get(),
    ).toBe(0);
  });

  it('while they upload an image leaves no image behind', async () => {
    const { test, ratna, budi, recordIds } = await openOffice();
    const form = buildForm({}, { bytes: buildImage('png', 200_000) });
    const url = `/api/tax-records/${recordIds[2]}/payment-proof`;
    const [uploaded, removed] = await Promise.all([
      test.call('POST', url, { token: budi.token, ...form }),
      remove(test, ratna, budi),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 401]).toContain(uploaded.status);
    expect(readdirSync(test.proofsDir)).toHaveLength(1);
  });

  it('by two administrators at once is done once', async () => {
    const { test, ratna, budi } = await openOffice();
    const answers = await Promise.all([remove(test, ratna, budi), remove(test, buildAdmin(test), budi)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  });

  it('minds no image that is gone already', async () => {
    const test = await buildTestApp();
    const [ratna, budi] = [buildAdmin(test), buildPerson(test)];
    buildRecord(test, budi.id, { proofFile: '0b8f7e4c-6f5e-4d55-9d3c-0e6f3a1b2c3d.png' });
    const stranger = join(test.proofsDir, 'catatan.txt');
    writeFileSync(stranger, 'bukan bukti');
    expect((await remove(test, ratna, budi)).status).toBe(200);
    expect(existsSync(stranger)).toBe(true);
  });

  it('of an administrator leaves what they wrote to residents', async () => {
    const { test, ratna, budi } = await openOffice();
    const dewi = buildAdmin(test, { name: 'Dewi' });
    await send(test, dewi, budi, 'Dari Dewi');
    expect((await remove(test, ratna, dewi)).status).toBe(200);
    const answer = await test.call('GET', `/api/messages/conversation/${ratna.id}`, { token: budi.token });
    const { messages } = answer.body.data as { messages: { content: string; sender_name: string }[] };
    expect(messages.at(-1)).toMatchObject({ content: 'Dari Dewi', sender_name: 'Dewi' });
  });
});
