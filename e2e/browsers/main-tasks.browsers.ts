import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { otherBrowsers } from './installed-browsers.mjs';
import { buildPng } from '../images.ts';
import { ADMIN, startTestServer, type TestServer } from '../test-server.ts';
import { startCuttableLine } from '#server/testing/network/cuttable-line.ts';
import type { Driver, Engine } from './driver.ts';
import { startFirefox } from './firefox.ts';
import { createPage, type Page } from './page.ts';
import { startWebKit } from './webkit.ts';

const starters = { Firefox: startFirefox, WebKit: startWebKit };
const record = {
  name: 'Siti Rahmawati',
  address: 'Jalan Melati No. 12, Desa Sukamaju',
  spt_number: '33.74.010.001.002-0034.0',
  amount: 1_250_000,
  property_type: 'rumah_tinggal',
  due_date: '2025-09-30',
};

type Account = { email: string; password: string; token: string; id: string };

let server: TestServer;
let lastNumber = 0;

/** One call for what a test needs but does not test: what the other person does. */
async function call<T>(method: string, path: string, token: string | null, body?: object): Promise<T> {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: T };
  return data;
}

type SessionAnswer = { token: string; user: { id: string } };

async function registerUser(): Promise<Account> {
  lastNumber += 1;
  const [email, password] = [`siti-${lastNumber}@contoh.id`, 'kata-sandi-siti'];
  const body = { name: 'Siti Rahmawati', email, password, password_confirmation: password };
  const { token, user } = await call<SessionAnswer>('POST', '/auth/register', null, body);
  return { email, password, token, id: user.id };
}

async function signInAdmin(): Promise<Account> {
  const { email, password } = ADMIN;
  const { token, user } = await call<SessionAnswer>('POST', '/auth/login', null, { email, password });
  return { email, password, token, id: user.id };
}

const sendMessage = (from: Account, to: Account, content: string): Promise<unknown> =>
  call('POST', '/messages/send', from.token, { to_user_id: to.id, content, client_id: crypto.randomUUID() });

const storedMessages = (user: Account): unknown[] =>
  server.withDatabase((database) =>
    database.prepare('select content from messages where user_id = ? order by id').pluck().all(user.id),
  );

const storedRecords = (user: Account) =>
  server.withDatabase(
    (database) =>
      database
        .prepare(
          'select id, address, amount_sen, status, proof_file, checked_by_name from tax_records where user_id = ?',
        )
        .all(user.id) as {
        id: string;
        address: string;
        amount_sen: number;
        status: string;
        proof_file: string | null;
      }[],
  );

async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/login');
  await page.typeInto({ role: 'textbox', name: 'Email' }, email);
  await page.typeInto({ css: 'input[type="password"]' }, password);
  await page.click({ role: 'button', name: 'Masuk (Login)' });
}

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const installed = otherBrowsers.filter(({ isInstalled }) => isInstalled()).map(({ engine }) => engine);

describe.each(installed)('%s', (name) => {
  let engine: Engine;
  let driver: Driver;
  let line: Awaited<ReturnType<typeof startCuttableLine>>;
  let page: Page;

  beforeAll(async () => {
    engine = await starters[name]();
  });
  afterAll(() => engine.close());

  beforeEach(async () => {
    line = await startCuttableLine(server.url);
    driver = await engine.open();
    page = createPage(driver, line.url);
    return async () => {
      await page.expectNoErrors();
      await driver.close();
      await line.close();
    };
  });

  it('lets a user sign in, add a record and pay it with a photo', async () => {
    const user = await registerUser();
    await signIn(page, user);
    await page.expectText({ role: 'heading', name: '/^Selamat datang/' }, 'Selamat datang, Siti Rahmawati');
    await page.goto('/tax-records/create');
    await page.typeInto({ role: 'textbox', name: '/^Nama/' }, record.name);
    await page.typeInto({ role: 'textbox', name: '/^Alamat/' }, record.address);
    await page.typeInto({ role: 'textbox', name: '/^Nomor SPT/' }, record.spt_number);
    await page.typeInto({ role: 'textbox', name: '/^Jumlah/' }, String(record.amount));
    await page.click({ role: 'button', name: 'Simpan (Save)' });
    await expect
      .poll(() => storedRecords(user), { timeout: 30_000 })
      .toMatchObject([{ address: record.address, amount_sen: record.amount * 100, status: 'belum_lunas' }]);
    // Until the answer has arrived, the form asks before its page is left.
    await page.see({ role: 'heading', name: 'Data Pajak' });

    const [stored] = storedRecords(user);
    const photo = join(server.dataDir, 'struk.png');
    writeFileSync(photo, buildPng(60, 40));
    await page.goto(`/tax-records/${stored?.id}`);
    await page.see({ role: 'button', name: 'Unggah bukti pembayaran' });
    await page.chooseFile({ css: 'main input[type="file"]' }, photo);
    await page.see({ role: 'img', name: 'Pratinjau bukti pembayaran' });
    await page.click({ role: 'radio', name: 'Saya sudah membayar' });
    await page.click({ role: 'button', name: 'Hari ini' });
    await page.click({ role: 'button', name: 'Simpan (Save)' });
    await page.expectImageWidth({ role: 'img', name: 'Bukti pembayaran' }, 60);
    expect(storedRecords(user)).toMatchObject([{ status: 'lunas', proof_file: expect.stringMatching(/./) }]);
  });

  it('keeps what a user writes over a lost network, and sends it once and in order', async () => {
    const [user, admin] = [await registerUser(), await signInAdmin()];
    const field = { css: '[placeholder="Ketik pesan..."]' };
    const write = async (text: string): Promise<void> => {
      await page.typeInto(field, text);
      await page.click({ role: 'button', name: 'Kirim' });
    };
    await signIn(page, user);
    await page.click({ role: 'button', name: '/^Buka Live Chat/' });
    await page.see({ text: 'Online' });
    await write('nol');
    await expect.poll(() => storedMessages(user), { timeout: 30_000 }).toEqual(['nol']);
    // Without the server's answer the page would keep this message waiting, too.
    await page.see({ text: 'Terkirim' });

    line.cut();
    await page.see({ text: '/^Offline/' });
    await write('satu');
    await write('dua');
    await page.see({ text: 'Koneksi terputus. 2 pesan Anda dikirim begitu koneksi kembali.' });
    await sendMessage(admin, user, 'dari kantor');
    line.restore();
    await expect.poll(() => storedMessages(user), { timeout: 60_000 }).toEqual(['nol', 'dari kantor', 'satu', 'dua']);
    await page.expectText({ role: 'log' }, /nol[^]*dari kantor[^]*satu[^]*dua/);
    await sendMessage(admin, user, 'Sudah kami terima');
    await page.expectText({ role: 'log' }, /dua[^]*Sudah kami terima/);
  });

  it('lets an admin answer, match a payment and export the report', async () => {
    const [user, admin] = [await registerUser(), await signInAdmin()];
    const { id } = await call<{ id: string }>('POST', '/tax-records', user.token, { ...record, status: 'proses' });
    await sendMessage(user, admin, 'Apakah pembayaran saya sudah masuk?');
    await signIn(page, admin);
    await page.see({ role: 'link', name: '/^Bukti masuk \\(\\d+\\)$/' });
    await page.goto(`/admin/chat?user=${user.id}`);
    await page.expectText({ role: 'log' }, /Apakah pembayaran saya sudah masuk\?/);
    await page.typeInto({ css: '[placeholder="Tulis pesan..."]' }, 'Kami cocokkan sekarang');
    await page.click({ role: 'button', name: 'Kirim' });
    await expect
      .poll(() => storedMessages(user), { timeout: 30_000 })
      .toEqual(['Apakah pembayaran saya sudah masuk?', 'Kami cocokkan sekarang']);

    await page.goto(`/admin/tax-records/bukti-masuk?data=${id}`);
    await page.expectText({ role: 'heading', name: '/^PBB \\d+/' }, /Jalan Melati No\. 12/);
    await page.click({ role: 'button', name: 'Cocok saja' });
    await page.click({ role: 'button', name: 'Sudah, cocok' });
    await expect.poll(() => storedRecords(user), { timeout: 30_000 }).toMatchObject([{ checked_by_name: ADMIN.name }]);

    await page.goto('/admin/reports');
    await page.click({ role: 'button', name: 'Export Excel' });
    const { name: fileName, bytes } = await page.takeSavedFile();
    expect(fileName).toMatch(/\.xlsx$/);
    const { sheets } = await readXlsx(bytes);
    expect(sheets.flatMap(({ rows }) => rows.flat())).toContain(record.amount);
  });
});
