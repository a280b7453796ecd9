import { Readable } from 'node:stream';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import type { Page } from '#shared/api/envelope.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { SENDS_MAX } from '#shared/limits.ts';
import { quotaTexts } from '#shared/texts.ts';
import { sendFiles, storedFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildAdmin, buildRecord, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildExif, buildJpeg, buildWebp, jpegSegment } from '#server/testing/images.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';

let test: TestApp;
let sari: SignedInUser;
let budi: SignedInUser;
async function buildOffice(overrides: Parameters<typeof buildTestApp>[0] = {}): Promise<void> {
  test = await buildTestApp(overrides);
  sari = buildAdmin(test, { name: 'Sari' });
  budi = buildTestUser(test, { name: 'Budi' });
  test.clock.advance(1000);
}
beforeEach(() => buildOffice());

const as = (who: SignedInUser, method: string, path: string, body?: unknown): Promise<Answer> =>
  test.call(method, `/api${path}`, { token: who.token, ...(body === undefined ? {} : { body }) });
const pathOf = (who: SignedInUser, id: string): string =>
  `${who.isAdmin ? '/admin' : ''}/tax-records/${id}/payment-proof/from-message`;
const file = (who: SignedInUser, id: string, body: object): Promise<Answer> => as(who, 'POST', pathOf(who, id), body);
function recordOf({ status, body }: Answer): TaxRecord {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
/** A photo that Budi sent, unless the test says otherwise. */
async function sendPhoto(from = budi, to = sari, bytes = buildImage('jpg', 3000), name = 'bukti.jpg') {
  const photo = await uploadFile(test, from, { file: { bytes, filename: name } });
  await sendFiles(test, from, to, [photo]);
  return photo;
}
const bill = (more: object = {}) => buildRecord(test, budi.id, { sptNumber: '32.71', year: 2026, ...more });
const proofOf = (id: string): string | null =>
  test.database.sqlite
    .prepare<[string], string | null>('select proof_file from tax_records where id = ?')
    .pluck()
    .get(id) ?? null;
const bytesOf = (name: string | null): Buffer => readFileSync(join(test.proofsDir, name ?? 'missing'));
async function notices(who: SignedInUser): Promise<string[]> {
  const answer = await as(who, 'GET', `/messages/conversation/${who.isAdmin ? budi.id : sari.id}`);
  const { messages }: { messages: Message[] } = answer.body.data;
  return messages.filter(({ kind }) => kind === 'notice').map(({ content }) => content);
}
/** The marks that both sides read below a photo. */
async function marksOf(photo: Pick<Attachment, 'id'>): Promise<(Attachment['proof_of'] | undefined)[]> {
  const answers = [
    await as(budi, 'GET', `/messages/conversation/${sari.id}`),
    await as(sari, 'GET', `/messages/conversation/${budi.id}`),
  ];
  return answers.map(({ body }) => {
    const { messages }: { messages: Message[] } = body.data;
    return messages.flatMap(({ attachments }) => attachments).find(({ id }) => id === photo.id)?.proof_of;
  });
}
const auditOf = async (id: string): Promise<AuditEntry[]> => {
  const page: Page<AuditEntry> = (await as(sari, 'GET', `/admin/audit?subject_id=${id}`)).body.data;
  return page.data;
};

describe('a photo of the chat', () => {
  it('becomes the proof of the own record, which waits for a check from then on', async () => {
    const exif = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), buildExif(1)]));
    const photo = await sendPhoto(budi, sari, buildJpeg({ before: [exif] }));
    const { id } = bill();
    const [ownTab, adminTab] = [await openTab(test, budi), await openTab(test, sari)];
    const filed = recordOf(
      await file(budi, id, { attachment_id: photo.id, status: 'proses', payment_date: '2026-06-01' }),
    );
    expect(filed).toMatchObject({ status: 'proses', payment_date: null, verification: { state: 'pending' } });
    expect(await test.call('GET', filed.payment_proof ?? '')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/jpeg' },
    });
    expect(bytesOf(proofOf(id)).includes('Telepon')).toBe(false);
    const text = 'Foto disimpan sebagai bukti PBB 2026 · SPT 32.71 dan ditandai Proses';
    expect([await notices(budi), await notices(sari)]).toEqual([[text], [text]]);
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'record.updated',
        actor: { name: 'Budi' },
        changes: [
          { field: 'status', from: 'belum_lunas', to: 'proses' },
          { field: 'payment_proof', from: null, to: 'ada' },
        ],
      },
    ]);
    await waitForPendingEvents(test, ownTab, adminTab);
    for (const tab of [ownTab, adminTab]) {
      expect(tab.payloadsOf('tax-record:changed')).toEqual([{ id, user_id: budi.id, change: 'updated' }]);
      expect(tab.payloadsOf('message:new')).toMatchObject([
        {
          kind: 'notice',
          content: text,
          reply_to: expect.any(String),
          quoted: { sender_id: budi.id },
          record: { id, now: { status: 'proses', has_proof: true } },
        },
      ]);
    }
  });

  it('becomes a proof by an admin with the day of the payment, and does not wait for a check', async () => {
    for (const photo of [await sendPhoto(), await sendPhoto(sari, budi)]) {
      const { id } = bill();
      const missing = await file(sari, id, { attachment_id: photo.id, status: 'lunas' });
      expect(missing).toMatchObject({
        status: 422,
        body: { errors: { payment_date: ['Tanggal pembayaran wajib diisi jika status Lunas'] } },
      });
      expect(proofOf(id)).toBeNull();
      const body = { attachment_id: photo.id, status: 'lunas', payment_date: '2026-08-03' };
      expect(recordOf(await file(sari, id, body))).toMatchObject({
        status: 'lunas',
        payment_date: '2026-08-03',
        verification: { state: 'none' },
      });
    }
    const text = 'Foto disimpan sebagai bukti PBB 2026 · SPT 32.71 dan ditandai Lunas, dibayar 3 Agu 2026';
    expect(await notices(budi)).toEqual([text, text]);
  });

  it('replaces the proof and keeps the status when none is sent', async () => {
    const { id } = bill({ status: 'lunas', paymentDate: '2026-01-02' });
    await test.call('POST', `/api/tax-records/${id}/payment-proof`, {
      token: budi.token,
      ...buildForm({}, { bytes: buildImage() }),
    });
    const old = proofOf(id);
    const photo = await sendPhoto();
    expect(recordOf(await file(budi, id, { attachment_id: photo.id }))).toMatchObject({
      status: 'lunas',
      payment_date: '2026-01-02',
    });
    expect(storedFiles(test)).not.toContain(old);
    expect(await notices(budi)).toEqual(['Foto disimpan sebagai bukti PBB 2026 · SPT 32.71']);
  });

  it('lives and dies apart from the proof', async () => {
    const photo = await sendPhoto();
    const { id } = bill();
    const filed = recordOf(await file(budi, id, { attachment_id: photo.id }));
    expect(bytesOf(proofOf(id))).toHaveLength(3000);
    expect(storedFiles(test)).toHaveLength(2);

    await as(budi, 'PUT', `/tax-records/${id}`, { remove_payment_proof: true });
    expect((await test.call('GET', filed.payment_proof ?? '')).status).toBe(404);
    expect((await test.call('GET', photo.url)).status).toBe(200);

    const again = recordOf(await file(budi, id, { attachment_id: photo.id }));
    await as(sari, 'DELETE', `/messages/conversation/${budi.id}`);
    expect((await test.call('GET', photo.url)).status).toBe(404);
    expect((await test.call('GET', again.payment_proof ?? '')).status).toBe(200);
    expect(storedFiles(test)).toEqual([proofOf(id)]);
    expect(await file(budi, id, { attachment_id: photo.id })).toMatchObject({ status: 404 });
  });

  it('says on both sides whose proof it became, each of several in one message, until that proof is another one', async () => {
    const photos = [
      await uploadFile(test, budi),
      await uploadFile(test, budi, { file: { bytes: buildImage('jpg', 900) } }),
    ];
    const sent = await sendFiles(test, budi, sari, photos);
    expect(sent.attachments.map(({ proof_of }) => proof_of)).toEqual([null, null]);
    const [first, second] = photos as [Attachment, Attachment];
    const [bill2026, bill2025] = [bill(), bill({ year: 2025 })];
    const none = [null, null];
    const both = ({ id, year }: { id: string; year: number }) => [
      { record_id: id, year },
      { record_id: id, year },
    ];
    await file(budi, bill2026.id, { attachment_id: first.id });
    expect([await marksOf(first), await marksOf(second)]).toEqual([both(bill2026), none]);
    // Another picture replaces it.
    await file(sari, bill2026.id, { attachment_id: second.id, status: 'proses' });
    expect([await marksOf(first), await marksOf(second)]).toEqual([none, both(bill2026)]);
    await file(sari, bill2025.id, { attachment_id: first.id });
    expect([await marksOf(first), await marksOf(second)]).toEqual([both(bill2025), both(bill2026)]);
    // The same photo once more changes nothing, and the same picture in another message is the proof as well.
    const again = await sendPhoto(budi, sari, buildImage('jpg', 900));
    await file(budi, bill2026.id, { attachment_id: again.id });
    expect([await marksOf(second), await marksOf(again)]).toEqual([both(bill2026), both(bill2026)]);

    await as(budi, 'PUT', `/tax-records/${bill2026.id}`, { remove_payment_proof: true });
    await as(sari, 'DELETE', `/admin/tax-records/${bill2025.id}`);
    for (const photo of [first, second, again]) expect(await marksOf(photo)).toEqual(none);
    expect(await auditOf(bill2026.id)).toHaveLength(3);
  });

  it('becomes a proof once by a double click, and again after the office has rejected it', async () => {
    const photo = await sendPhoto();
    const { id, updatedAt } = bill();
    const updated_at = new Date(updatedAt).toISOString();
    const body = { attachment_id: photo.id, status: 'lunas', payment_date: '2026-06-01', updated_at };
    const answers = await Promise.all([file(budi, id, body), file(budi, id, body), file(budi, id, body)]);
    const [first, ...others] = answers.map(recordOf);
    for (const other of others) expect(other).toEqual(first);
    expect(await file(budi, id, body)).toMatchObject({ status: 200 });
    expect(await notices(budi)).toHaveLength(1);
    expect(await auditOf(id)).toHaveLength(1);
    expect(storedFiles(test)).toHaveLength(2);

    const check = { result: 'rejected', reason: 'Buram', updated_at: first?.updated_at };
    expect((await as(sari, 'POST', `/admin/tax-records/${id}/verification`, check)).status).toBe(200);
    const { updated_at: _stale, ...unguarded } = body;
    expect(recordOf(await file(sari, id, unguarded)).verification.state).toBe('rejected');
    expect(recordOf(await file(budi, id, unguarded)).verification.state).toBe('pending');
    expect(await notices(budi)).toHaveLength(3);
    expect(storedFiles(test)).toHaveLength(2);
  });
});

it('files a photo once when the user and an admin press at the same moment', async () => {
  const photo = await sendPhoto();
  const { id } = bill();
  const presses = Array.from({ length: 10 }, (_, index) =>
    file(index % 2 === 0 ? budi : sari, id, { attachment_id: photo.id, status: 'proses' }),
  );
  for (const answer of await Promise.all(presses)) recordOf(answer);
  expect(await notices(budi)).toHaveLength(1);
  expect(await auditOf(id)).toHaveLength(1);
  expect(storedFiles(test)).toHaveLength(2);
});

it('does not replace a proof that was stored while the photo was copied', async () => {
  const photo = await sendPhoto();
  const { id } = bill();
  const source = join(test.proofsDir, storedFiles(test)[0] ?? '');
  const bytes = readFileSync(source);
  rmSync(source);
  // Its reader waits for a writer, so the form is stored in the middle of the copy.
  execFileSync('mkfifo', [source]);
  const filing = file(budi, id, { attachment_id: photo.id });
  const pipe = await open(source, 'w');
  test.database.sqlite.prepare("update tax_records set proof_file = 'lain.png' where id = ?").run(id);
  await pipe.writeFile(bytes);
  await pipe.close();
  expect(await filing).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('diubah') },
  });
  expect(proofOf(id)).toBe('lain.png');
  expect(storedFiles(test)).toHaveLength(1);
});

describe('a photo is not filed', () => {
  it('from another conversation, before it is sent, without a session, or into another record', async () => {
    const wati = buildTestUser(test, { name: 'Wati' });
    const photo = await sendPhoto();
    const foreign = await sendPhoto(wati, sari);
    const unsent = await uploadFile(test, budi);
    const pdf = await uploadFile(test, budi, { file: { bytes: Buffer.from('%PDF-1.4\n%%EOF\n'), filename: 'a.pdf' } });
    await sendFiles(test, budi, sari, [pdf]);
    const foreignPdf = await uploadFile(test, wati, { file: { bytes: Buffer.from('%PDF-1.4\n%%EOF\n') } });
    await sendFiles(test, wati, sari, [foreignPdf]);
    const own = bill();
    const foreignBill = buildRecord(test, wati.id);
    const files = storedFiles(test);

    const refused: [SignedInUser, string, Pick<Attachment, 'id'>, number, string][] = [
      [budi, own.id, foreign, 404, 'Foto tidak ditemukan dalam percakapan'],
      [sari, own.id, foreign, 404, 'Foto tidak ditemukan dalam percakapan'],
      [sari, foreignBill.id, photo, 404, 'Foto tidak ditemukan dalam percakapan'],
      [budi, own.id, unsent, 404, 'Foto tidak ditemukan dalam percakapan'],
      [budi, own.id, pdf, 415, 'File harus berupa gambar JPG, PNG, atau GIF'],
      [budi, own.id, foreignPdf, 404, 'Foto tidak ditemukan dalam percakapan'],
      [budi, own.id, { id: 'tidak-ada' }, 404, 'Foto tidak ditemukan dalam percakapan'],
      [budi, foreignBill.id, photo, 404, 'Data PBB tidak ditemukan'],
      [budi, foreignBill.id, foreign, 404, 'Data PBB tidak ditemukan'],
      [wati, own.id, photo, 404, 'Data PBB tidak ditemukan'],
      [sari, 'tidak-ada', photo, 404, 'Data pajak tidak ditemukan'],
      [budi, own.id, { id: ' ' }, 422, 'Pilih foto dari percakapan'],
    ];
    for (const [who, id, { id: attachment_id }, status, message] of refused) {
      expect(await file(who, id, { attachment_id })).toMatchObject({ status, body: { message } });
    }
    const body = { attachment_id: photo.id };
    expect((await test.call('POST', `/api${pathOf(budi, own.id)}`, { body })).status).toBe(401);
    expect((await as(budi, 'POST', pathOf(sari, own.id), body)).status).toBe(403);
    expect(await file(budi, own.id, { ...body, status: 'apa' })).toMatchObject({ status: 422 });
    const stale = { ...body, updated_at: '2020-01-01T00:00:00.000Z' };
    expect(await file(budi, own.id, stale)).toMatchObject({ status: 409 });
    expect(storedFiles(test)).toEqual(files);
    expect(await notices(budi)).toEqual([]);
    expect(await auditOf(own.id)).toEqual([]);
  });

  it('as a WebP, or when the file is gone', async () => {
    const { id } = bill();
    const webp = await sendPhoto(budi, sari, buildWebp(), 'foto.webp');
    expect(await file(budi, id, { attachment_id: webp.id })).toMatchObject({
      status: 415,
      body: { message: 'File harus berupa gambar JPG, PNG, atau GIF' },
    });
    const photo = await sendPhoto();
    for (const name of storedFiles(test)) rmSync(join(test.proofsDir, name));
    expect((await file(budi, id, { attachment_id: photo.id })).status).toBe(404);
  });

  it('more often than a message may be sent', async () => {
    const photo = await sendPhoto();
    const { id } = bill();
    const statuses: number[] = [];
    for (let count = 0; count <= SENDS_MAX; count += 1) {
      statuses.push((await file(budi, id, { attachment_id: 'tidak-ada' })).status);
    }
    expect(statuses).toEqual([...Array(SENDS_MAX).fill(404), 429]);
    expect((await file(sari, id, { attachment_id: photo.id })).status).toBe(200);
  });

  it('beyond the quota of the owner, by the owner and by an admin', async () => {
    await buildOffice({
      settings: {
        timeZone: 'Asia/Jakarta',
        corsOrigins: [],
        trustedProxies: null,
        rateLimits: true,
        quota: { records: null, proofBytes: 5000 },
      },
    });
    const photo = await sendPhoto();
    const { id } = bill();
    const files = storedFiles(test);
    for (const [who, texts] of [
      [budi, quotaTexts.own],
      [sari, quotaTexts.admin],
    ] as const) {
      expect(await file(who, id, { attachment_id: photo.id })).toMatchObject({
        status: 422,
        body: { message: texts.proofs(5000) },
      });
    }
    expect(storedFiles(test)).toEqual(files);
    expect(proofOf(id)).toBeNull();
  });

  it.each<[string, 'budi' | 'sari', number]>([
    ['update users set is_active = 0 where id = ?', 'sari', 401],
    ['update users set is_admin = 0 where id = ?', 'sari', 403],
    ['delete from sessions where user_id = ?', 'budi', 401],
  ])('when the sender loses the right meanwhile: %s', async (statement, name, status) => {
    const photo = await sendPhoto();
    const { id } = bill();
    const files = storedFiles(test);
    const who = name === 'sari' ? sari : budi;
    const text = Buffer.from(JSON.stringify({ attachment_id: photo.id }));
    async function* slowly() {
      yield text.subarray(0, 5);
      test.database.sqlite.prepare(statement).run(who.id);
      yield text.subarray(5);
    }
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const payload = Readable.from(slowly());
    const answer = await test.call('POST', `/api${pathOf(who, id)}`, { token: who.token, headers, payload });
    expect(answer.status).toBe(status);
    expect(storedFiles(test)).toEqual(files);
    expect(proofOf(id)).toBeNull();
  });
});
