import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { bubble, openWidget, panel, PHONE, sendMessageByApi, test } from './chat-page.ts';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { buildPng } from './images.ts';
import type { TestServer } from './test-server.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

type Upload = { bytes: Buffer; name: string };

/** Sends files in one message over REST. */
async function sendFiles(testServer: TestServer, from: TestUser, to: TestUser, uploads: Upload[]): Promise<void> {
  const ids: string[] = [];
  for (const { bytes, name } of uploads) {
    const form = new FormData();
    form.append('client_id', randomUUID());
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const response = await fetch(`${testServer.url}/api/messages/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${from.token}` },
      body: form,
    });
    const { data } = (await response.json()) as { data: { id: string } };
    ids.push(data.id);
  }
  const content = uploads.map(({ name }) => `${name.endsWith('.pdf') ? 'Dokumen' : 'Foto'}: ${name}`).join('\n');
  await callAs(testServer, from, 'POST', '/messages/send', { to_user_id: to.id, content, attachment_ids: ids });
}

const photo = (page: Page, name: string) =>
  page.getByRole('log').getByRole('button', { name: new RegExp(`: ${name}$`) });
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Foto', exact: true });
const shownPhoto = (page: Page, name: string) => viewer(page).getByRole('img', { name: new RegExp(`: ${name}$`) });

/** As it is seen, with zoom and turns. */
async function sizeOf(page: Page, name: string): Promise<{ width: number; height: number }> {
  const box = await shownPhoto(page, name).boundingBox();
  return { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
}

/** Sends both taps without waiting for an answer between them, because together they take less than 300 ms. */
async function doubleTap(page: Page, x: number, y: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await Promise.all(
    [1, 2].flatMap(() => [
      session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
      session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    ]),
  );
  await session.detach();
}

test.use({ viewport: PHONE, hasTouch: true });

test('photos keep their place while they load, and open in a viewer by touch and by keyboard', async ({
  page,
  testServer,
  registerUser,
  admin,
  openAs,
  openInNewContext,
}) => {
  const user = await registerUser('Siti Rahmawati');
  for (const text of ['Selamat pagi', 'Saya sudah bayar kemarin']) {
    await sendMessageByApi(testServer, user, admin, text);
  }
  const struk = { bytes: buildPng(300, 400), name: 'struk.png' };
  const rumah = { bytes: buildPng(1000, 500), name: 'rumah.png' };
  await sendFiles(testServer, user, admin, [struk, rumah]);
  await sendFiles(testServer, admin, user, [{ bytes: PDF, name: 'sppt.pdf' }]);
  await sendFiles(testServer, user, admin, [{ bytes: buildPng(400, 400), name: 'akhir.png' }]);
  await sendMessageByApi(testServer, admin, user, 'Terima kasih');

  // Every picture comes late.
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/uploads/**', async (route) => {
    await isReleased;
    await route.continue();
  });
  await openAs(page, user, '/dashboard');
  await openWidget(page);
  await expect(bubble(page, 'Terima kasih')).toBeVisible();
  const topsOf = async () =>
    Promise.all(
      ['Selamat pagi', 'sppt.pdf', 'Terima kasih'].map(
        async (text) => (await bubble(page, text).boundingBox())?.y ?? NaN,
      ),
    );
  // The panel has come to rest.
  let before = await topsOf();
  await expect(async () => {
    const earlier = before;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    before = await topsOf();
    expect(before).toEqual(earlier);
  }).toPass();
  release();
  await expect(photo(page, 'akhir.png').getByRole('img')).toHaveJSProperty('naturalWidth', 400);
  await photo(page, 'struk.png').scrollIntoViewIfNeeded();
  await expect(photo(page, 'struk.png').getByRole('img')).toHaveJSProperty('naturalWidth', 300);
  await page.getByRole('log').evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await expect(async () => {
    const after = await topsOf();
    for (const [index, top] of after.entries()) expect(Math.abs(top - (before[index] ?? NaN))).toBeLessThanOrEqual(1);
  }).toPass();

  await test.step('by touch', async () => {
    await photo(page, 'struk.png').tap();
    await expect(viewer(page).getByText('1 / 3')).toBeVisible();
    await expect(viewer(page).getByText(/^struk\.png · Anda · /)).toBeVisible();
    await expect(shownPhoto(page, 'struk.png')).toHaveJSProperty('naturalWidth', 300);
    await expectAccessible(page, 'the photo viewer');
    await expect.poll(() => sizeOf(page, 'struk.png')).toEqual({ width: 300, height: 400 });
    const { x, y } = (await shownPhoto(page, 'struk.png').boundingBox()) ?? { x: 0, y: 0 };
    await doubleTap(page, x + 150, y + 200);
    await expect.poll(async () => (await sizeOf(page, 'struk.png')).width).toBeGreaterThan(500);
    await viewer(page).getByRole('button', { name: 'Putar' }).tap();
    await expect.poll(() => sizeOf(page, 'struk.png')).toEqual({ width: 390, height: 293 });
    await viewer(page).getByRole('button', { name: 'Foto berikutnya' }).tap();
    await expect(viewer(page).getByText('2 / 3')).toBeVisible();
    await page.goBack();
    await expect(viewer(page)).toHaveCount(0);
    await expect(panel(page)).toBeVisible();
    await page.goBack();
    await expect(panel(page)).toHaveCount(0);
  });

  await test.step('by keyboard, and downloads a document', async () => {
    const office = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
    await photo(office, 'rumah.png').press('Enter');
    await expect(viewer(office).getByText('2 / 3')).toBeVisible();
    await expect(shownPhoto(office, 'rumah.png')).toHaveJSProperty('naturalWidth', 1000);
    await office.keyboard.press('r');
    await expect.poll(() => sizeOf(office, 'rumah.png')).toEqual({ width: 450, height: 900 });
    await office.keyboard.press('+');
    await expect.poll(async () => (await sizeOf(office, 'rumah.png')).width).toBe(900);
    await office.keyboard.press('-');
    await expect.poll(async () => (await sizeOf(office, 'rumah.png')).width).toBe(450);
    await office.keyboard.press('ArrowLeft');
    await expect(viewer(office).getByText('1 / 3')).toBeVisible();
    await office.keyboard.press('Escape');
    await expect(viewer(office)).toHaveCount(0);
    await expect(photo(office, 'rumah.png')).toBeFocused();
    await expect(office).toHaveURL(new RegExp(`user=${user.id}`));

    const download = office.waitForEvent('download');
    await office.getByRole('link', { name: /^Unduh dokumen dari Anda: sppt\.pdf/ }).click();
    expect((await download).suggestedFilename()).toBe('sppt.pdf');
  });
});
