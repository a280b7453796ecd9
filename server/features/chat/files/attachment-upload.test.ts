import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Attachment } from '#shared/api/chat/chat.ts';
import { postFile, sendFiles, storedAttachments, storedFiles, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildAdmin, buildRecord, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildExif, buildGif, buildJpeg, buildPng, buildWebp, jpegSegment } from '#server/testing/images.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const WRONG_TYPE = {
  status: 415,
  body: { success: false, message: 'File harus berupa gambar JPG, PNG, GIF, WebP atau dokumen PDF' },
};
const MB = 1_048_576;
const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const PDF = text('%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\n%%EOF\n');

async function buildChat(quota: { proofBytes: number | null } = { proofBytes: null }) {
  const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true };
  const test = await buildTestApp({ settings: { ...settings, quota: { records: null, ...quota } } });
  const ratna = buildAdmin(test);
  return { test, ratna, budi: buildTestUser(test), siti: buildTestUser(test) };
}

const bytesOf = (test: TestApp, url: string): Buffer =>
  readFileSync(join(test.proofsDir, /\/uploads\/([^?]+)/.exec(url)?.[1] ?? ''));

describe('POST /messages/attachments', () => {
  it.each([
    ['jpg', 'image/jpeg', buildJpeg({ width: 30, height: 20 })],
    ['png', 'image/png', buildPng({ width: 30, height: 20 })],
    ['gif', 'image/gif', buildGif({ width: 30, height: 20 })],
    ['webp', 'image/webp', buildWebp({ width: 30, height: 20 })],
    ['pdf', 'application/pdf', PDF],
  ])('stores a %s by its bytes, whatever its name and type say', async (extension, type, bytes) => {
    const { test, budi } = await buildChat();
    const file = { bytes, filename: 'struk.html', type: 'text/html' };
    const stored = await uploadFile(test, budi, { file });
    const size = extension === 'pdf' ? { width: null, height: null } : { width: 30, height: 20 };
    expect(stored).toMatchObject({ name: `struk.${extension}`, type, size: bytes.length, thumb_url: null, ...size });
    expect(stored.url).toMatch(new RegExp(`^/uploads/[0-9a-f-]{36}\\.${extension}\\?s=[\\w-]+&e=\\d+&t=[\\w-]{43}$`));
    expect(bytesOf(test, stored.url).equals(bytes)).toBe(true);
    expect(storedAttachments(test)).toMatchObject([{ uploaderId: budi.id, fromAdmin: false, messageId: null }]);
  });

  it('stores what comes without a name under one of its own', async () => {
    const { test, budi } = await buildChat();
    // Only this type makes a part without a name a file.
    const head = 'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream';
    const payload = Buffer.concat([text(`--batas\r\n${head}\r\n\r\n`), PDF, text('\r\n--batas--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=batas' };
    const answer = await test.call('POST', '/api/messages/attachments', { token: budi.token, headers, payload });
    expect(answer).toMatchObject({ status: 201, body: { data: { name: 'dokumen.pdf', type: 'application/pdf' } } });
  });

  it('removes place and device from photo and small image, and says the size as it is shown', async () => {
    const { test, ratna } = await buildChat();
    const exif = jpegSegment(0xe1, Buffer.concat([text('Exif\0\0'), buildExif(6)]));
    const photo = buildJpeg({ width: 400, height: 300, before: [exif], after: text('PK\u0003\u0004arsip') });
    const thumb = buildJpeg({ width: 40, height: 30, before: [exif] });
    const stored = await uploadFile(test, ratna, { file: { bytes: photo, filename: 'DCIM/foto saya é.jpg' }, thumb });
    expect(stored).toMatchObject({ name: 'foto saya é.jpg', width: 300, height: 400 });
    for (const url of [stored.url, stored.thumb_url ?? '']) {
      const bytes = bytesOf(test, url);
      for (const secret of ['GPS', 'Telepon', 'arsip']) expect(bytes.includes(secret), secret).toBe(false);
      expect(bytes.includes('Exif')).toBe(true);
    }
    expect(stored.size).toBe(bytesOf(test, stored.url).length);
    expect(storedFiles(test)).toHaveLength(2);
  });

  it('leaves out a small image that is none, too large or of a document', async () => {
    const { test, budi } = await buildChat();
    const thumbs = [PDF, text('<svg/>'), buildImage('png', 40_961), buildPng({ width: 1001, height: 1000 })];
    for (const thumb of thumbs) expect((await uploadFile(test, budi, { thumb })).thumb_url).toBeNull();
    const document = await uploadFile(test, budi, { file: { bytes: PDF }, thumb: buildPng() });
    expect(document.thumb_url).toBeNull();
    expect((await uploadFile(test, budi, { thumb: buildImage('jpg', 40_960) })).thumb_url).toMatch(/\.jpg\?/);
    expect(storedFiles(test)).toHaveLength(thumbs.length + 3);
  });

  it.each([
    ['no known type', text('<html><script>alert(1)</script></html>')],
    ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['an archive', text('PK\u0003\u0004')],
    ['three bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff])],
    ['a PNG of 30,000 × 30,000', buildPng({ width: 30_000, height: 30_000 })],
    ['a JPEG of 65,535 × 65,535', buildJpeg({ width: 65_535, height: 65_535 })],
    ['a GIF of 60,000 × 60,000', buildGif({ width: 60_000, height: 60_000 })],
    ['a WebP of 16,000 × 16,000', buildWebp({ width: 16_000, height: 16_000 })],
    ['a WebP that was cut off', buildWebp().subarray(0, -2)],
    ['a PDF behind something else', text(`GIF%PDF-1.7`)],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_what, bytes) => {
    const { test, budi } = await buildChat();
    expect(await postFile(test, budi, { file: { bytes, filename: 'foto.png' } })).toMatchObject(WRONG_TYPE);
    expect(storedFiles(test)).toEqual([]);
  });

  it('keeps of a file that is two things only the picture', async () => {
    const { test, budi } = await buildChat();
    const polyglot = buildGif({ after: text('<script>alert(1)</script>%PDF-1.7') });
    const { url, type } = await uploadFile(test, budi, { file: { bytes: polyglot } });
    expect(type).toBe('image/gif');
    expect(bytesOf(test, url).equals(buildGif())).toBe(true);
  });

  it('refuses what is too large, missing, doubled or broken off, and who may not upload, and stores nothing', async () => {
    const { test, budi } = await buildChat();
    const tooLarge = await postFile(test, budi, { file: { bytes: buildImage('png', 5 * MB + 1) } });
    expect(tooLarge).toMatchObject({ status: 413, body: { message: 'Ukuran file maksimal 5MB' } });
    const message = 'Pilih foto atau dokumen yang akan dikirim';
    const missing = { status: 422, body: { message, errors: { file: [message] } } };
    const call = (token: string | undefined, form: object = {}) =>
      test.call('POST', '/api/messages/attachments', { token, ...form });
    expect(await call(budi.token)).toMatchObject(missing);
    expect(await call(budi.token, buildForm({ file: 'teks' }))).toMatchObject(missing);
    expect(await call(budi.token, buildForm({}, { bytes: buildPng(), field: 'thumb' }))).toMatchObject(missing);
    expect(await call(budi.token, buildForm({}, { bytes: buildPng(), field: 'foto' }))).toMatchObject(missing);
    const file = { bytes: buildPng(), field: 'file' };
    expect((await call(budi.token, buildForm({}, file, file))).status).toBe(413);
    const { payload, headers } = buildForm({}, { bytes: buildImage('png', 5000), field: 'file' });
    expect((await call(budi.token, { headers, payload: payload.subarray(0, 3000) })).status).toBe(400);
    expect((await call(undefined, { headers, payload })).status).toBe(401);
    expect((await call('bukan.token.asli', { headers, payload })).status).toBe(401);
    expect((await postFile(test, budi, { fields: { client_id: 'dengan spasi' } })).status).toBe(422);
    expect(storedFiles(test)).toEqual([]);
    expect(storedAttachments(test)).toEqual([]);
  });

  it('stores nothing of an upload whose session or role ended meanwhile', async () => {
    const { test, ratna, budi, siti } = await buildChat();
    const uploadWhile = async (statement: string, { token }: SignedInUser) => {
      const { payload, headers } = buildForm({}, { bytes: buildImage(), field: 'file' });
      async function* slowly() {
        yield payload.subarray(0, 40);
        test.database.sqlite.exec(statement);
        yield payload.subarray(40);
      }
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      const options = { token, headers: chunked, payload: Readable.from(slowly()) };
      return (await test.call('POST', '/api/messages/attachments', options)).status;
    };
    expect(await uploadWhile(`update users set is_active = 0 where id = '${budi.id}'`, budi)).toBe(401);
    expect(await uploadWhile(`update users set is_admin = 0 where id = '${ratna.id}'`, ratna)).toBe(403);
    expect(await uploadWhile(`delete from users where id = '${siti.id}'`, siti)).toBe(401);
    expect(storedFiles(test)).toEqual([]);
  });

  it('waits for the slots of the account’s other uploads, those of proofs too', async () => {
    const { test, budi, siti } = await buildChat();
    const { id } = buildRecord(test, budi.id);
    const upload = {
      totalBytes: 1_000_000,
      readBytes: () => 1_000_000,
      isComplete: () => false,
      end: () => undefined,
    };
    const uploader = { id: budi.id, isAdmin: false, address: '127.0.0.1' };
    const releases = [await test.server.uploads.acquireSlot(uploader, upload)];
    releases.push(await test.server.uploads.acquireSlot(uploader, upload));
    const done: string[] = [];
    const file = postFile(test, budi).then(({ status }) => done.push(`file ${status}`));
    const form = buildForm({}, { bytes: buildImage() });
    const proof = test
      .call('POST', `/api/tax-records/${id}/payment-proof`, { token: budi.token, ...form })
      .then(({ status }) => done.push(`proof ${status}`));
    expect((await postFile(test, siti)).status).toBe(201);
    expect(done).toEqual([]);
    for (const release of releases) release();
    await Promise.all([file, proof]);
    expect(new Set(done)).toEqual(new Set(['file 201', 'proof 200']));
  });

  it('stores nothing when the commit fails', async () => {
    const { test, budi } = await buildChat();
    test.database.sqlite.exec(
      "create trigger broken before insert on attachments begin select raise(abort, 'no'); end",
    );
    test.expectErrorLog(/request failed/);
    expect((await postFile(test, budi, { thumb: buildPng() })).status).toBe(500);
    expect(storedFiles(test)).toEqual([]);
  });
});

describe('an upload with a client_id', () => {
  it('counts once, also when it comes twice at the same moment, and for each account apart', async () => {
    const { test, budi, siti } = await buildChat();
    const fields = { client_id: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 2 }, () => postFile(test, budi, { fields, thumb: buildPng() })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const [first, second] = answers.map(({ body }): Attachment => body.data);
    expect(second).toEqual(first);
    expect(storedFiles(test)).toHaveLength(2);
    // Another content under the same id, as for messages.
    const again = await postFile(test, budi, { fields, file: { bytes: PDF } });
    expect(again).toMatchObject({ status: 200, body: { data: first } });
    expect((await postFile(test, siti, { fields })).status).toBe(201);
    expect(storedFiles(test)).toHaveLength(3);
  });

  it('gives the first one also when that was sent, and not to a session that ended', async () => {
    const { test, ratna, budi } = await buildChat();
    const fields = { client_id: 'foto-1' };
    const first = await uploadFile(test, budi, { fields });
    await sendFiles(test, budi, ratna, [first]);
    expect(await postFile(test, budi, { fields })).toMatchObject({ status: 200, body: { data: { id: first.id } } });
    test.database.sqlite.exec('delete from sessions');
    expect((await postFile(test, budi, { fields })).status).toBe(401);
  });
});

describe('the room of an account', () => {
  it('ends at 20 files that were not sent, and says what to do; sending makes room', async () => {
    const { test, ratna, budi, siti } = await buildChat();
    const uploaded: Attachment[] = [];
    for (let index = 0; index < 20; index += 1) uploaded.push(await uploadFile(test, budi));
    const message =
      'Ada 20 berkas yang sudah diunggah tetapi belum terkirim. Kirim atau buang pesannya dulu; yang tidak terkirim dihapus setelah 24 jam.';
    expect(await postFile(test, budi)).toMatchObject({ status: 422, body: { message, errors: { file: [message] } } });
    expect(storedFiles(test)).toHaveLength(20);
    expect((await postFile(test, siti)).status).toBe(201);
    await sendFiles(test, budi, ratna, uploaded.slice(0, 1));
    expect((await postFile(test, budi)).status).toBe(201);
  });

  it('covers files and proofs of a user together, with one text; admins have no such bound', async () => {
    const { test, ratna, budi, siti } = await buildChat({ proofBytes: 2 * MB });
    const { id } = buildRecord(test, budi.id);
    const postProof = (sizeBytes: number) =>
      test.call('POST', `/api/tax-records/${id}/payment-proof`, {
        token: budi.token,
        ...buildForm({}, { bytes: buildImage('png', sizeBytes) }),
      });
    const image = (sizeBytes: number) => ({ file: { bytes: buildImage('png', sizeBytes) } });
    expect((await postProof(MB)).status).toBe(200);
    const sent = await uploadFile(test, budi, { ...image(MB - 1000), thumb: buildImage('jpg', 1000) });
    const quota = async ({ token }: SignedInUser) => (await test.call('GET', '/api/tax-records/quota', { token })).body;
    expect(await quota(budi)).toMatchObject({ data: { proof_bytes: 2 * MB, proof_bytes_max: 2 * MB } });
    const message = 'Ruang foto bukti Anda penuh (2 MB). Hapus foto lama atau hubungi administrator.';
    const full = await postFile(test, budi, image(100));
    expect(full).toMatchObject({ status: 422, body: { message, errors: { file: [message] } } });
    expect((await postProof(MB + 1)).status).toBe(422);
    expect(storedFiles(test)).toHaveLength(3);
    // Of others: what an admin sends into the conversation, and what another user has.
    await sendFiles(test, budi, ratna, [sent]);
    for (let count = 0; count < 3; count += 1) {
      await sendFiles(test, ratna, budi, [await uploadFile(test, ratna, image(MB))]);
    }
    expect(await quota(budi)).toMatchObject({ data: { proof_bytes: 2 * MB } });
    expect((await postFile(test, siti, image(2 * MB))).status).toBe(201);
    await test.call('DELETE', `/api/messages/conversation/${budi.id}`, { token: ratna.token });
    expect(await quota(budi)).toMatchObject({ data: { proof_bytes: MB } });
    expect((await postFile(test, budi, image(MB))).status).toBe(201);
  });
});

describe('DELETE /messages/attachments/{id}', () => {
  it('makes room where 20 files wait, and removes an own unsent file alone', async () => {
    const { test, ratna, budi, siti } = await buildChat();
    const remove = ({ token }: Pick<SignedInUser, 'token'>, id: string) =>
      test.call('DELETE', `/api/messages/attachments/${id}`, { token });
    const missing = { status: 404, body: { message: 'Berkas tidak ada lagi di server atau sudah terkirim' } };
    const waiting: Attachment[] = [];
    for (let index = 0; index < 20; index += 1) waiting.push(await uploadFile(test, budi, { thumb: buildPng() }));
    const [first, sent] = waiting.map(({ id }) => id);
    for (const other of [siti, ratna]) expect(await remove(other, first ?? '')).toMatchObject(missing);
    expect((await test.call('DELETE', `/api/messages/attachments/${first}`)).status).toBe(401);
    expect((await postFile(test, budi)).status).toBe(422);
    expect(storedFiles(test)).toHaveLength(40);

    expect(await remove(budi, first ?? '')).toMatchObject({ status: 200, body: { data: {} } });
    expect(storedFiles(test)).toHaveLength(38);
    expect(await remove(budi, first ?? '')).toMatchObject(missing);
    expect((await postFile(test, budi)).status).toBe(201);

    await sendFiles(test, budi, ratna, [{ id: sent ?? '' }]);
    for (const who of [budi, ratna]) expect(await remove(who, sent ?? '')).toMatchObject(missing);
    expect(await remove(budi, 'bukan-id')).toMatchObject(missing);
    expect(storedAttachments(test)).toHaveLength(20);
    test.database.sqlite.exec('delete from sessions');
    expect((await remove(budi, waiting[2]?.id ?? '')).status).toBe(401);
    expect(storedAttachments(test)).toHaveLength(20);
  });

  it('lets a message that is sent at the same moment have the file, or say that it is gone', async () => {
    const { test, ratna, budi } = await buildChat();
    const { id } = await uploadFile(test, budi);
    const body = { to_user_id: ratna.id, content: 'Foto: bukti.png', attachment_ids: [id] };
    const [sending, removing] = await Promise.all([
      test.call('POST', '/api/messages/send', { token: budi.token, body }),
      test.call('DELETE', `/api/messages/attachments/${id}`, { token: budi.token }),
    ]);
    const isSent = sending.status === 201;
    expect([sending.status, removing.status]).toEqual(isSent ? [201, 404] : [404, 200]);
    expect(storedFiles(test)).toHaveLength(isSent ? 1 : 0);
  });
});
