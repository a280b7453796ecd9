import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#shared/durations.ts';
import { legalVersions } from '#shared/legal-versions.ts';
import { conversationNotes, messages } from '#server/db/schema.ts';
import { sendFiles, storedAttachments, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildRecord, buildSession, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { downloadOwnData } from '#server/testing/own-data.ts';
import { changeUser } from '#server/testing/rows.ts';

const PASSWORD = 'rahasia-1';
const HASH = cheapHash(PASSWORD);
/** Each is in the data of somebody or something else, and must be in no file of the copy. */
const STAFF = 'Penanda Petugas Ratna';
const NEIGHBOUR = 'Penanda Tetangga';
const NOTE = 'penanda-catatan-kantor';

async function buildOffice() {
  const chat = await buildChatApp();
  const { test } = chat;
  const ratna = buildAdmin(test, { name: STAFF });
  const budi = buildTestUser(test, { name: 'Budi <b>Santoso</b>', email: 'budi@contoh.id', passwordHash: HASH });
  const wati = buildTestUser(test, { name: NEIGHBOUR, email: 'penanda-wati@contoh.id' });
  const copy = async () => {
    const files = await downloadOwnData(test, budi, PASSWORD);
    const textOf = (name: string): string => files.get(name)?.toString() ?? '';
    return {
      files,
      page: textOf('percakapan.html'),
      readMe: textOf('BACA SAYA.txt'),
      data: JSON.parse(textOf('data.json')),
    };
  };
  return { ...chat, ratna, budi, wati, copy };
}

/** Gives budi one of everything, and puts the markers of others beside it. */
async function fillOffice(office: Awaited<ReturnType<typeof buildOffice>>) {
  const { test, send, ratna, budi, wati } = office;
  const own = { token: budi.token };
  const record = buildRecord(test, budi.id, { sptNumber: '33.74/1', notes: 'catatan saya' });
  const proof = buildForm({}, { bytes: buildImage('jpg', 900), filename: 'bukti.jpg', type: 'image/jpeg' });
  const filed = await test.call('POST', `/api/tax-records/${record.id}/payment-proof`, { ...own, ...proof });
  const { updated_at } = filed.body.data as { updated_at: string };
  const check = { result: 'rejected', reason: 'Fotonya buram', updated_at };
  const checked = await test.call('POST', `/api/admin/tax-records/${record.id}/verification`, {
    token: ratna.token,
    body: check,
  });
  expect(checked.status, JSON.stringify(checked.body)).toBe(200);
  await send(budi, ratna, 'Saya titip pesan untuk Ibu Sri <script>alert(1)</script>');
  await send(ratna, budi, `Baik Pak. Salam, ${STAFF}`);
  await sendFiles(test, budi, ratna, [
    await uploadFile(test, budi, { file: { filename: 'foto ../rumah.png' } }),
    await uploadFile(test, budi),
  ]);
  await send(wati, ratna, `pesan ${NEIGHBOUR}`);
  const note = { userId: budi.id, authorId: ratna.id, authorName: STAFF, content: NOTE, clientId: 'c', createdAt: 1 };
  test.database.direct.insert(conversationNotes).values(note).run();
  await test.call('POST', '/api/tax-records/claims', { ...own, body: { nop: '351518001200100340', note: 'Warisan' } });
  await test.call('PUT', `/api/admin/users/${budi.id}`, { token: ratna.token, body: { email: 'budi.baru@contoh.id' } });
  return record;
}

describe('the copy of the own data', () => {
  it('holds all own things, images under readable names, and nothing of anybody else', async () => {
    const office = await buildOffice();
    const { test, budi, copy } = office;
    const record = await fillOffice(office);
    await test.call('POST', '/api/auth/consents', {
      token: budi.token,
      body: { document: 'privacy', version: legalVersions.privacy },
    });
    const { files, page, readMe, data } = await copy();
    const [first, second] = storedAttachments(test).map(
      ({ messageId, position }) => `pesan ${messageId}-${position + 1}`,
    );
    expect([...files.keys()].toSorted()).toEqual(
      [
        'BACA SAYA.txt',
        'data.json',
        'percakapan.html',
        'data-pbb.html',
        'bukti-pembayaran/PBB 2025 33.74-1 (data 1).jpg',
        `berkas-percakapan/2026-06-10 rumah (${first}).png`,
        `berkas-percakapan/2026-06-10 bukti (${second}).png`,
      ].toSorted(),
    );
    for (const [name, content] of files)
      if (/\.(png|jpg)$/.test(name)) expect(content.length, name).toBeGreaterThan(50);

    expect(data.account).toMatchObject({ name: budi.name, email: 'budi.baru@contoh.id', role: 'user', phone: null });
    expect(data.consents).toMatchObject([{ document: 'privacy', version: legalVersions.privacy }]);
    expect(data.security_log).toMatchObject([{ event: 'email.changed', by_name: 'Petugas' }]);
    expect(data.sessions).toMatchObject([{ entry: 'password' }]);
    expect(data.claims).toMatchObject([{ nop: '351518001200100340', note: 'Warisan', state: 'open' }]);
    expect(data.records).toMatchObject([
      {
        id: record.id,
        amount: 100_000,
        notes: 'catatan saya',
        payment_proof: 'bukti-pembayaran/PBB 2025 33.74-1 (data 1).jpg',
        verification: { state: 'rejected', by_name: 'Petugas', reason: 'Fotonya buram' },
        history: [
          { action: 'record.updated', by_name: budi.name },
          { action: 'record.checked', by_name: 'Petugas' },
        ],
      },
    ]);
    expect(data.messages.map(({ from, kind }: { from: string; kind: string }) => `${from}: ${kind}`)).toEqual([
      'Petugas: notice',
      `${budi.name}: chat`,
      'Petugas: chat',
      `${budi.name}: chat`,
      `${budi.name}: notice`,
    ]);
    expect(data.messages[2].text).toBe('Baik Pak. Salam, Petugas');
    expect(data.messages[3].files.map(({ file }: { file: string }) => files.has(file))).toEqual([true, true]);

    expect(page).toContain('Rabu, 10 Juni 2026');
    expect(page).toContain('Ibu Sri &#60;script&#62;');
    expect(page).not.toMatch(/<script|<b>|https?:/);
    for (const [, href = ''] of page.matchAll(/src="([^"]+)"/g))
      expect(files.has(decodeURIComponent(href)), href).toBe(true);
    expect(page.match(/<img /g)).toHaveLength(2);
    const records = files.get('data-pbb.html')?.toString() ?? '';
    for (const text of ['100.000</dd>', 'Belum Lunas', 'catatan saya', 'bukti-pembayaran/PBB%202025'])
      expect(records).toContain(text);
    expect(readMe).toContain('percakapan Anda dengan kantor, 5 pesan');
    expect(readMe).toContain('Foto dan dokumen dalam salinan ini: 3.');

    const all = [...files]
      .map(([name, content]) => `${name}\n${content.toString('latin1')}\n${content.toString()}`)
      .join('\n');
    const hidden = [STAFF, NEIGHBOUR, 'penanda', NOTE, 'argon2', HASH, budi.sessionId, budi.token];
    for (const text of [...hidden, ...storedAttachments(test).map(({ file }) => file)])
      expect(all.toLowerCase(), text).not.toContain(text.toLowerCase());
  });

  it('says which file the server has lost, and has the rest', async () => {
    const office = await buildOffice();
    await fillOffice(office);
    const { test, copy } = office;
    const [lost] = storedAttachments(test);
    rmSync(join(test.proofsDir, lost?.file ?? ''));
    const { data, page, readMe } = await copy();
    const files = data.messages.flatMap(({ files: found }: { files: { file: string | null }[] }) => found);
    expect(files.map(({ file }: { file: string | null }) => file === null)).toEqual([true, false]);
    expect(page.match(/<img /g)).toHaveLength(1);
    expect(readMe).toContain('1 foto atau dokumen tidak ada lagi di server');
  });

  it('leaves out a history that was deleted, and quotes in short', async () => {
    const { test, send, clear, ratna, budi, copy } = await buildOffice();
    await send(budi, ratna, 'Sebelum dihapus');
    await clear(ratna, budi.id);
    const asked = await send(budi, ratna, 'Berapa tagihan saya?');
    const body = { to_user_id: budi.id, content: 'Rp 100.000', reply_to: asked.id };
    await test.call('POST', '/api/messages/send', { token: ratna.token, body });
    const { data, page } = await copy();
    expect(data.messages.map(({ text }: { text: string }) => text)).toEqual(['Berapa tagihan saya?', 'Rp 100.000']);
    expect(page).toContain('Membalas Budi &#60;b&#62;Santoso&#60;/b&#62;: “Berapa tagihan saya?”');
    expect(page).not.toContain('Sebelum dihapus');
  });

  it('leaves out the conversations of users for an admin', async () => {
    const { test, send, budi } = await buildOffice();
    const dewi = buildAdmin(test, { name: 'Dewi', passwordHash: HASH });
    await send(budi, dewi, 'rahasia warga');
    await send(dewi, budi, 'jawaban kantor');
    const files = await downloadOwnData(test, dewi, PASSWORD);
    const text = [...files.values()].join('\n');
    expect(text).not.toMatch(/rahasia warga|jawaban kantor|Budi/);
    expect(files.get('BACA SAYA.txt')?.toString()).toContain('Pesan yang Anda tulis sebagai administrator tidak ikut');
  });

  it('reads a conversation of several steps whole, in its order', async () => {
    const { test, budi, copy } = await buildOffice();
    const { direct, sqlite } = test.database;
    sqlite.transaction(() => {
      for (let n = 1; n <= 1203; n += 1) {
        const by = { userId: budi.id, senderId: budi.id, senderName: budi.name, fromAdmin: false };
        direct
          .insert(messages)
          .values({ ...by, content: `${n}`, sideOrdinal: n, createdAt: n * HOUR_MS })
          .run();
      }
    })();
    const { data, page } = await copy();
    expect(data.messages.map(({ text }: { text: string }) => Number(text))).toEqual(
      Array.from({ length: 1203 }, (_, index) => index + 1),
    );
    expect(page.match(/<article/g)).toHaveLength(1203);
  });

  it('says that an account has no e-mail address', async () => {
    const { test, budi, copy } = await buildOffice();
    buildSession(test, budi.id);
    changeUser(test, budi.id, { email: 'w-48217735@tanpa-email.invalid' });
    const { data } = await copy();
    expect(data.account).toMatchObject({ email: null, account_address: 'w-48217735@tanpa-email.invalid' });
    expect(data.sessions).toHaveLength(2);
  });
});
