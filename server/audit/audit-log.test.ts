import { describe, expect, it } from 'vitest';
import type { AuditChange, AuditEntry } from '#shared/api/audit.ts';
import {
  buildAdmin,
  buildTestUser,
  buildRecord,
  ownPassword,
  cheapHash,
  type SignedInUser,
} from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { storedRecords } from '#server/testing/rows.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const AT = '2026-06-10T05:00:00.000Z';

async function buildAppWithUsers() {
  const test = await buildTestApp();
  const [ratna, budi] = [buildAdmin(test, { email: 'ratna@kantor.id' }), buildTestUser(test, { name: 'Budi' })];
  /** All entries, oldest first. */
  const entries = async (): Promise<AuditEntry[]> => {
    const answer = await test.call('GET', '/api/admin/audit?limit=200', { token: ratna.token });
    const page: { data: AuditEntry[] } = answer.body.data;
    return page.data.toReversed();
  };
  const entrySummaries = async () =>
    (await entries()).map(({ action, actor, subject }) => `${actor.name} ${action} ${subject.id}`);
  const dataOfSuccess = async (answer: ReturnType<TestApp['call']>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.data as { id: string };
  };
  return { test, ratna, budi, entries, entrySummaries, dataOfSuccess };
}

const fieldsOf = (changes: AuditChange[]) =>
  Object.fromEntries(changes.map(({ field, from, to }) => [field, [from, to]]));

describe('the audit of long texts', () => {
  it('keeps about 200 characters of each, beginning shortly before the first difference, and marks them as clipped', async () => {
    const { test, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const before = `${'a'.repeat(3000)}lama${'b'.repeat(1996)}`;
    const after = `${'a'.repeat(3000)}baru${'b'.repeat(1000)}`;
    const { id } = buildRecord(test, budi.id, { notes: before, description: 'pendek' });
    const edit = { notes: after, description: '👍'.repeat(2000) };
    await dataOfSuccess(test.call('PUT', `/api/tax-records/${id}`, { token: budi.token, body: edit }));
    await dataOfSuccess(test.call('DELETE', `/api/tax-records/${id}`, { token: budi.token }));
    const [updated, deleted] = (await entries()).map(({ changes }) => fieldsOf(changes));
    const shared = 'a'.repeat(60);
    expect(updated).toEqual({
      notes: [
        `…${shared}lama${'b'.repeat(136)}… (dipotong dari 5.000 karakter)`,
        `…${shared}baru${'b'.repeat(136)}… (dipotong dari 4.004 karakter)`,
      ],
      description: ['pendek', `${'👍'.repeat(100)}… (dipotong dari 4.000 karakter)`],
    });
    expect(deleted?.['notes']).toEqual([`${'a'.repeat(200)}… (dipotong dari 4.004 karakter)`, null]);
  });

  it('leaves a text of 200 characters whole', async () => {
    const { test, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const { id } = buildRecord(test, budi.id);
    const notes = 'c'.repeat(200);
    await dataOfSuccess(test.call('PUT', `/api/tax-records/${id}`, { token: budi.token, body: { notes } }));
    const [updated] = await entries();
    expect(fieldsOf(updated?.changes ?? [])).toEqual({ notes: [null, notes] });
  });
});

describe('the audit of records', () => {
  it('gets an entry with actor, time and changed fields when a user creates, edits or deletes a record', async () => {
    const { test, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const body = {
      name: 'Budi S.',
      address: 'Jl. Melati 1',
      tax_type: 'PBB',
      spt_number: '32.01',
      year: 2025,
      amount: 150_000.5,
      status: 'belum_lunas',
      notes: 'catatan',
    };
    const { id } = await dataOfSuccess(test.call('POST', '/api/tax-records', { token: budi.token, body }));
    test.clock.advance(60_000);
    const edit = { status: 'lunas', payment_date: '2026-06-01', amount: 200_000, notes: null, name: 'Budi S.' };
    await dataOfSuccess(test.call('PUT', `/api/tax-records/${id}`, { token: budi.token, body: edit }));
    await dataOfSuccess(test.call('DELETE', `/api/tax-records/${id}`, { token: budi.token }));

    const [created, updated, deleted, ...others] = await entries();
    expect(others).toEqual([]);
    const subject = { id, label: '32.01 · 2025 · Budi S.' };
    const actor = { id: budi.id, name: 'Budi', role: 'user' };
    expect(created).toMatchObject({ action: 'record.created', actor, subject, created_at: AT, createdAt: AT });
    expect(created?.id).toMatch(/^\d+$/);
    expect(created?._id).toBe(created?.id);
    expect(fieldsOf(created?.changes ?? [])).toEqual({
      name: [null, 'Budi S.'],
      address: [null, 'Jl. Melati 1'],
      tax_type: [null, 'PBB'],
      spt_number: [null, '32.01'],
      year: [null, 2025],
      amount: [null, 150_000.5],
      status: [null, 'belum_lunas'],
      notes: [null, 'catatan'],
    });
    // One entry for several fields; fields that were sent unchanged are not in it.
    expect(updated).toMatchObject({ action: 'record.updated', actor, subject, created_at: '2026-06-10T05:01:00.000Z' });
    expect(fieldsOf(updated?.changes ?? [])).toEqual({
      amount: [150_000.5, 200_000],
      status: ['belum_lunas', 'lunas'],
      payment_date: [null, '2026-06-01'],
      notes: ['catatan', null],
    });
    expect(deleted).toMatchObject({ action: 'record.deleted', actor, subject });
    expect(fieldsOf(deleted?.changes ?? [])).toMatchObject({ amount: [200_000, null], status: ['lunas', null] });
  });

  it('gets entries for the changes of an admin too', async () => {
    const { test, ratna, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const { token } = ratna;
    const body = {
      user_id: budi.id,
      name: 'Budi',
      address: 'Jl. Melati',
      spt_number: '32.02',
      year: 2024,
      amount: 1000,
    };
    const { id } = await dataOfSuccess(test.call('POST', '/api/admin/tax-records', { token, body }));
    await dataOfSuccess(
      test.call('PUT', `/api/admin/tax-records/${id}`, { token, body: { year: 2023, spt_number: '32.03' } }),
    );
    await dataOfSuccess(test.call('DELETE', `/api/admin/tax-records/${id}`, { token }));
    const [created, updated, deleted] = await entries();
    const actor = { id: ratna.id, name: 'Ibu Ratna', role: 'admin' };
    expect(created).toMatchObject({ action: 'record.created', actor, subject: { id, label: '32.02 · 2024 · Budi' } });
    expect(updated).toMatchObject({ action: 'record.updated', actor, subject: { id, label: '32.02 · 2024 · Budi' } });
    expect(fieldsOf(updated?.changes ?? [])).toEqual({ year: [2024, 2023], spt_number: ['32.02', '32.03'] });
    expect(deleted).toMatchObject({ action: 'record.deleted', actor, subject: { id, label: '32.03 · 2023 · Budi' } });
  });

  it('gets no entry for a save without a change or for a refused one', async () => {
    const { test, ratna, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const record = buildRecord(test, budi.id, { status: 'lunas', paymentDate: '2026-01-01' });
    const url = `/api/tax-records/${record.id}`;
    const same = { name: record.name, amount: 100_000, status: 'lunas', payment_date: '2026-01-01', notes: '' };
    await dataOfSuccess(test.call('PUT', url, { token: budi.token, body: same }));
    await dataOfSuccess(test.call('PUT', `/api/admin${url.slice(4)}`, { token: ratna.token, body: {} }));
    const staleEdit = { name: 'Lain', updated_at: '2020-01-01T00:00:00.000Z' };
    expect((await test.call('PUT', url, { token: budi.token, body: staleEdit })).status).toBe(409);
    expect((await test.call('DELETE', url, { token: buildTestUser(test).token })).status).toBe(404);
    expect((await test.call('PUT', url, { token: budi.token, body: { amount: -1 } })).status).toBe(422);
    expect(await entries()).toEqual([]);
  });

  it('says that an image was added or replaced, but never its file name', async () => {
    const { test, ratna, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const { id } = buildRecord(test, budi.id);
    const form = () => buildForm({}, { bytes: buildImage(), filename: 'rahasia-budi.png' });
    const own = `/api/tax-records/${id}`;
    await dataOfSuccess(test.call('POST', `${own}/payment-proof`, { token: budi.token, ...form() }));
    await dataOfSuccess(
      test.call('POST', `/api/admin/tax-records/${id}/payment-proof`, { token: ratna.token, ...form() }),
    );
    const [stored] = storedRecords(test);
    await dataOfSuccess(test.call('PUT', own, { token: budi.token, body: { remove_payment_proof: true } }));
    const all = await entries();
    expect(all.map(({ changes }) => changes)).toEqual([
      [{ field: 'payment_proof', from: null, to: 'ada' }],
      [{ field: 'payment_proof', from: 'ada', to: 'diganti' }],
      [{ field: 'payment_proof', from: 'ada', to: null }],
    ]);
    const kept = JSON.stringify(test.database.sqlite.prepare('select * from audit_entries').all());
    expect(stored?.proofFile).toMatch(/\.png$/);
    for (const text of [JSON.stringify(all), kept]) expect(text).not.toMatch(/\.png|rahasia|uploads/);
  });

  it('gets an entry for each record of a rollover, of the owner only when the owner asked for it', async () => {
    const { test, budi, entries, dataOfSuccess } = await buildAppWithUsers();
    const old = { year: 2025, createdAt: Date.parse('2025-03-01') };
    buildRecord(test, budi.id, { ...old, sptNumber: 'A', amountSen: 10_000_000, dueDate: '2025-09-30', notes: 'x' });
    buildRecord(test, budi.id, { ...old, sptNumber: 'B' });
    await dataOfSuccess(test.call('GET', '/api/tax-records/check-year', { token: budi.token }));
    await dataOfSuccess(test.call('GET', '/api/tax-records/check-year', { token: budi.token }));
    const all = await entries();
    expect(all.map(({ subject }) => subject.label)).toEqual(['A · 2026 · Budi Santoso', 'B · 2026 · Budi Santoso']);
    for (const { action, actor, changes } of all) {
      expect({ action, actor }).toEqual({
        action: 'record.created',
        actor: { id: budi.id, name: 'Otomatis', role: 'user' },
      });
      expect(changes.at(-1)).toEqual({ field: 'automatic_from_year', from: null, to: 2025 });
    }
    expect(fieldsOf(all[0]?.changes ?? [])).toMatchObject({ amount: [null, 110_000], due_date: [null, '2026-09-30'] });
    await dataOfSuccess(test.call('POST', '/api/tax-records/auto-create', { token: budi.token, body: { year: 2027 } }));
    const asked = (await entries()).slice(2);
    expect(asked.map(({ actor, subject }) => [actor.name, subject.label])).toEqual([
      ['Budi', 'A · 2027 · Budi Santoso'],
      ['Budi', 'B · 2027 · Budi Santoso'],
    ]);
    expect(asked[0]?.changes.at(-1)).toEqual({ field: 'copied_from_year', from: null, to: 2026 });
  });
});

describe('the audit of accounts', () => {
  it('gets entries for creation, edit, switch and deletion, and never a password', async () => {
    const { test, ratna, entries, dataOfSuccess } = await buildAppWithUsers();
    const { token } = ratna;
    const body = { name: 'Siti', email: 'siti@contoh.id', password: 'rahasia-siti' };
    const { id } = await dataOfSuccess(test.call('POST', '/api/admin/users', { token, body }));
    const url = `/api/admin/users/${id}`;
    await dataOfSuccess(test.call('PUT', url, { token, body: { name: 'Siti', is_admin: false } }));
    await dataOfSuccess(
      test.call('PUT', url, {
        token,
        body: { name: 'Siti B.', email: 'sitib@contoh.id', is_admin: true, ...ownPassword },
      }),
    );
    await dataOfSuccess(test.call('PUT', `${url}/toggle-status`, { token, body: ownPassword }));
    await dataOfSuccess(test.call('DELETE', url, { token, body: ownPassword }));
    const all = await entries();
    const [first, second] = [
      { id, label: 'Siti (siti@contoh.id)' },
      { id, label: 'Siti B. (sitib@contoh.id)' },
    ];
    expect(all.map(({ action, subject, changes }) => [action, subject, fieldsOf(changes)])).toEqual([
      [
        'user.created',
        first,
        { name: [null, 'Siti'], email: [null, 'siti@contoh.id'], is_admin: [null, false], is_active: [null, true] },
      ],
      [
        'user.updated',
        first,
        { name: ['Siti', 'Siti B.'], email: ['siti@contoh.id', 'sitib@contoh.id'], is_admin: [false, true] },
      ],
      ['user.updated', second, { is_active: [true, false] }],
      [
        'user.deleted',
        second,
        { name: ['Siti B.', null], email: ['sitib@contoh.id', null], is_admin: [true, null], is_active: [false, null] },
      ],
    ]);
    for (const { actor } of all) expect(actor).toEqual({ id: ratna.id, name: 'Ibu Ratna', role: 'admin' });
    expect(JSON.stringify(test.database.sqlite.prepare('select * from audit_entries').all())).not.toMatch(
      /argon2|rahasia/,
    );
  });

  it('names the new user as the actor of a registration', async () => {
    const { test, entries } = await buildAppWithUsers();
    const password = 'rahasia-wati';
    const body = { name: 'Wati', email: 'wati@contoh.id', password, password_confirmation: password, is_admin: true };
    const { status, body: answer } = await test.call('POST', '/api/auth/register', { body });
    expect(status).toBe(201);
    const { user } = answer.data as { user: { id: string } };
    const [entry, ...more] = await entries();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: 'user.created',
      actor: { id: user.id, name: 'Wati', role: 'user' },
      subject: { id: user.id, label: 'Wati (wati@contoh.id)' },
    });
    await test.call('POST', '/api/auth/register', { body });
    expect(await entries()).toHaveLength(1);
  });

  it('gets no entry for a refused change', async () => {
    const { test, ratna, budi, entries } = await buildAppWithUsers();
    const { token } = ratna;
    await test.call('DELETE', `/api/admin/users/${ratna.id}`, { token });
    await test.call('PUT', `/api/admin/users/${budi.id}`, { token, body: { email: 'ratna@kantor.id' } });
    await test.call('POST', '/api/admin/users', { token, body: { name: 'x', email: budi.email, password: 'enam66' } });
    await test.call('DELETE', `/api/admin/users/${budi.id}`, { token: budi.token });
    expect(await entries()).toEqual([]);
  });

  it('gets entries for every record, the conversation and the account of a deleted user', async () => {
    const { test, ratna, budi, entrySummaries, entries, dataOfSuccess } = await buildAppWithUsers();
    const [one, two] = [buildRecord(test, budi.id), buildRecord(test, budi.id)];
    await sendMessage(test, budi, ratna);
    await sendMessage(test, ratna, budi);
    await dataOfSuccess(test.call('DELETE', `/api/admin/users/${budi.id}`, { token: ratna.token }));
    const summaries = await entrySummaries();
    expect(summaries.slice(0, 2)).toEqual([
      `Ibu Ratna conversation.deleted ${budi.id}`,
      `Ibu Ratna user.deleted ${budi.id}`,
    ]);
    // In steps after the account, in no certain order.
    expect(summaries.slice(2).toSorted()).toEqual([one, two].map(({ id }) => `Ibu Ratna record.deleted ${id}`));
    expect((await entries())[0]?.changes).toEqual([{ field: 'messages', from: 2, to: 0 }]);
  });

  it('gets entries for a change of the own name and password', async () => {
    const { test, ratna, entries, dataOfSuccess } = await buildAppWithUsers();
    const wati = buildTestUser(test, {
      name: 'Wati',
      email: 'wati@contoh.id',
      passwordHash: cheapHash('lama-sekali'),
    });
    const { token } = wati;
    await dataOfSuccess(test.call('PUT', '/api/auth/user', { token, body: { name: 'Wati N.' } }));
    await dataOfSuccess(test.call('PUT', '/api/auth/user', { token, body: { name: ' Wati N. ' } }));
    const password = { password: 'baru-sekali', password_confirmation: 'baru-sekali' };
    await test.call('PUT', '/api/auth/password', { token, body: { current_password: 'salah-sekali', ...password } });
    await dataOfSuccess(
      test.call('PUT', '/api/auth/password', { token, body: { current_password: 'lama-sekali', ...password } }),
    );
    const all = await entries();
    expect(all.map(({ action, actor, subject, changes }) => [action, actor.id, subject.label, changes])).toEqual([
      ['user.updated', wati.id, 'Wati (wati@contoh.id)', [{ field: 'name', from: 'Wati', to: 'Wati N.' }]],
      ['password.changed', wati.id, 'Wati N. (wati@contoh.id)', []],
    ]);
    expect(all.some(({ actor }) => actor.id === ratna.id)).toBe(false);
    expect(JSON.stringify(all)).not.toMatch(/sekali|argon2/);
  });
});

it('the deletion of a conversation makes an entry with the number of messages; that of an empty one makes none', async () => {
  const { test, ratna, budi, entries, dataOfSuccess } = await buildAppWithUsers();
  const clear = () =>
    dataOfSuccess(test.call('DELETE', `/api/messages/conversation/${budi.id}`, { token: ratna.token }));
  await clear();
  for (let round = 0; round < 3; round += 1) await sendMessage(test, budi, ratna);
  await clear();
  await clear();
  await sendMessage(test, ratna, budi);
  await clear();
  const refused = await test.call('DELETE', `/api/messages/conversation/${budi.id}`, { token: budi.token });
  expect(refused.status).toBe(403);
  const all = await entries();
  expect(all.map(({ action, actor, subject, changes }) => [action, actor.id, subject, changes])).toEqual(
    [3, 1].map((messages) => [
      'conversation.deleted',
      ratna.id,
      { id: budi.id, label: `Budi (${budi.email})` },
      [{ field: 'messages', from: messages, to: 0 }],
    ]),
  );
  expect(JSON.stringify(all)).not.toContain('Isi pesan');
});

async function sendMessage({ call }: TestApp, from: SignedInUser, to: SignedInUser): Promise<void> {
  const body = { to_user_id: to.id, content: 'Isi pesan' };
  expect((await call('POST', '/api/messages/send', { token: from.token, body })).status).toBe(201);
}
