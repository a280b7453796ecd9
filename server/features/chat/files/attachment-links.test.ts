import { describe, expect, it } from 'vitest';
import type { Attachment } from '#shared/api/chat/chat.ts';
import { sendFiles, storedAttachments, uploadFile } from '#server/testing/chat/attachments.ts';
import { buildAdmin, buildSession, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildPng } from '#server/testing/images.ts';
import { changeUser } from '#server/testing/rows.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { createUploadLinks } from '#server/uploads/upload-links.ts';

const NOT_FOUND = { status: 404, body: { success: false, message: 'Halaman tidak ditemukan' } };
const PDF = Buffer.from('%PDF-1.7\n');

/** Two users, two admins, and a photo with its small image that the first user uploaded. */
async function buildChatWithPhoto() {
  const test = await buildTestApp();
  const [ratna, sari] = [buildAdmin(test), buildAdmin(test, { name: 'Sari' })];
  const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
  const photo = await uploadFile(test, budi, { thumb: buildPng() });
  const { file, thumbFile } = storedAttachments(test)[0] ?? { file: '', thumbFile: '' };
  /** The link that the server would sign for a session: what remains is the right to the file. */
  const linkOf = ({ sessionId }: Pick<SignedInUser, 'sessionId'>, name = file) =>
    createUploadLinks(test.context).forSession(sessionId)(name);
  const status = async (url: string) => (await test.call('GET', url)).status;
  /** Names of those who may open the photo and its small image now. */
  async function readers(): Promise<string[]> {
    const found: string[] = [];
    for (const [name, user] of Object.entries({ ratna, sari, budi, siti })) {
      const [whole, small] = [await status(linkOf(user)), await status(linkOf(user, thumbFile ?? ''))];
      expect(small, name).toBe(whole);
      if (whole === 200) found.push(name);
    }
    return found;
  }
  return { test, ratna, sari, budi, siti, photo, linkOf, status, readers };
}

describe('the right to a file', () => {
  it('belongs to its uploader alone until it is sent, also against admins, then to the user and every admin', async () => {
    const { test, ratna, budi, siti, photo, readers } = await buildChatWithPhoto();
    expect(await readers()).toEqual(['budi']);
    // A message of somebody else in the meantime changes nothing.
    await sendFiles(test, siti, ratna, []);
    expect(await readers()).toEqual(['budi']);
    await sendFiles(test, budi, ratna, [photo]);
    expect(await readers()).toEqual(['ratna', 'sari', 'budi']);
  });

  it('of what an admin sends is that of the conversation, not that of the sender', async () => {
    const { test, ratna, sari, budi, siti, linkOf, status } = await buildChatWithPhoto();
    const letter = await uploadFile(test, ratna, { file: { bytes: PDF, filename: 'surat.pdf' } });
    const file = /\/uploads\/([^?]+)/.exec(letter.url)?.[1];
    const readers = () => Promise.all([ratna, sari, budi, siti].map((user) => status(linkOf(user, file))));
    expect(await readers()).toEqual([200, 404, 404, 404]);
    await sendFiles(test, ratna, siti, [letter]);
    expect(await readers()).toEqual([200, 200, 404, 200]);
    changeUser(test, ratna.id, { isAdmin: false });
    expect(await readers()).toEqual([404, 200, 404, 200]);
  });

  it('ends with the account’s activity, its role, the history and the account', async () => {
    const { test, ratna, budi, photo, readers } = await buildChatWithPhoto();
    await sendFiles(test, budi, ratna, [photo]);
    changeUser(test, budi.id, { isActive: false });
    expect(await readers()).toEqual(['ratna', 'sari']);
    // An admin has no conversation, so nobody may open its files.
    changeUser(test, budi.id, { isActive: true, isAdmin: true });
    expect(await readers()).toEqual([]);
    changeUser(test, budi.id, { isAdmin: false });
    expect(await readers()).toEqual(['ratna', 'sari', 'budi']);
    const hide = 'update conversations set cleared_id = last_message_id where user_id = ?';
    test.database.sqlite.prepare(hide).run(budi.id);
    expect(await readers()).toEqual([]);
    test.database.sqlite.prepare('update conversations set cleared_id = 0').run();
    test.database.sqlite.prepare('delete from users where id = ?').run(budi.id);
    expect(await readers()).toEqual([]);
  });
});

describe('the link of a file', () => {
  it('works for the session that it was made for, as long as that lives, and nowhere else', async () => {
    const { test, budi, photo, status } = await buildChatWithPhoto();
    expect(await status(photo.url)).toBe(200);
    const other = { ...budi, ...buildSession(test, budi.id) };
    const ofOther = await uploadFile(test, other);
    await test.call('POST', '/api/auth/logout', { token: budi.token });
    expect(await test.call('GET', photo.url)).toMatchObject(NOT_FOUND);
    expect(await status(photo.thumb_url ?? '')).toBe(404);
    expect(await status(ofOther.url)).toBe(200);
  });

  it('gets 404 when any part of it is missing or changed', async () => {
    const { photo, linkOf, siti, status } = await buildChatWithPhoto();
    const { pathname, searchParams } = new URL(photo.url, 'http://x');
    const change = (name: string, value: string) => {
      const changed = new URLSearchParams(searchParams);
      changed.set(name, value);
      return `${pathname}?${changed.toString()}`;
    };
    const signature = searchParams.get('t') ?? '';
    const tampered = [
      pathname,
      change('s', siti.sessionId),
      change('e', String(Number(searchParams.get('e')) + 1)),
      change('t', `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`),
      change('t', ''),
      photo.url.replace('.png', '.pdf'),
      photo.url.replace('/uploads/', '/uploads/%2e%2e%2f'),
      `/uploads/..%2Fsecret?${searchParams.toString()}`,
      linkOf(siti, 'pbb.sqlite'),
      linkOf(siti, '11111111-1111-4111-8111-111111111111.pdf'),
    ];
    for (const url of tampered) expect(await status(url), url).toBe(404);
  });

  it('shows an image in place and gives a document only as a download, with both forms of its name', async () => {
    const { test, budi } = await buildChatWithPhoto();
    const headersOf = async ({ url }: Attachment) => (await test.call('GET', url)).headers;
    const photo = await uploadFile(test, budi, { file: { filename: 'Struk (BCA) é.png' } });
    const safe = {
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    };
    expect(await headersOf(photo)).toMatchObject({
      ...safe,
      'content-type': 'image/png',
      'content-length': '2000',
      'content-disposition': 'inline; filename="Struk (BCA) _.png"; filename*=UTF-8\'\'Struk%20%28BCA%29%20%C3%A9.png',
    });
    const name = "surat 50% (final)'; x=\r\n\u202efdp.pdf";
    const letter = await uploadFile(test, budi, { file: { bytes: PDF, filename: name.replace(/[\r\n]/g, '') } });
    expect(await headersOf(letter)).toMatchObject({
      ...safe,
      'content-type': 'application/pdf',
      'content-disposition':
        "attachment; filename=\"surat 50_ (final)'; x=fdp.pdf\"; filename*=UTF-8''surat%2050%25%20%28final%29%27%3B%20x%3Dfdp.pdf",
    });
    const head = await test.call('HEAD', letter.url);
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(PDF.length) } });
    const cached = await test.call('GET', letter.url, { headers: { 'if-none-match': String(head.headers['etag']) } });
    expect(cached.status).toBe(304);
  });
});
