import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { adminMessageField, openWidget, panel, PHONE, test, userMessageField } from './chat-page.ts';
import { expect } from './fixtures.ts';
import { buildPng } from './images.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: buildPng(640, 480) });

/** The menu of the clip takes the focus a moment after it is drawn; keys before that go to the button. */
const expectMenuHasFocus = (page: Page) => expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
const tray = (page: Page) => page.getByRole('list', { name: 'Lampiran pesan ini' });
const log = (page: Page) => page.getByRole('log');

/** Waits until the browser has drawn a picture. */
const expectDrawn = (image: Locator) =>
  expect
    .poll(() => image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0)))
    .toBeGreaterThan(0);

/** Gives the page a file as the clipboard or a drag does. */
async function give(target: Locator, kind: 'paste' | 'drop', name: string, type: string, bytes: Buffer): Promise<void> {
  await target.evaluate(
    (element, [eventKind, fileName, fileType, base64]) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
      data.items.add(new File([content], fileName, { type: fileType }));
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        eventKind === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    [kind, name, type, bytes.toString('base64')] as const,
  );
}

test('a resident sends photos and a document by keyboard, and the office answers with pasted and dropped files', async ({
  page,
  admin,
  registerUser,
  openAs,
  openInNewContext,
}) => {
  const user = await registerUser('Yuni Astuti');
  const office = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
  await page.setViewportSize(PHONE);
  await openAs(page, user, '/');
  await openWidget(page);

  await userMessageField(page).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(panel(page).getByRole('button', { name: 'Lampirkan' })).toBeFocused();
  await page.keyboard.press('Enter');
  const choice = page.getByRole('menuitem', { name: 'Foto atau dokumen' });
  await expectMenuHasFocus(page);
  await page.keyboard.press('Escape');
  await expect(choice).toBeHidden();
  await expect(panel(page)).toBeVisible();
  // Long before the key that opens it: keys reach the page on another way than this does.
  const chooser = page.waitForEvent('filechooser');
  await panel(page).getByRole('button', { name: 'Lampirkan' }).press('Enter');
  // A menu that is opened by a key begins with its first item.
  await expect(choice).toBeFocused();
  await page.keyboard.press('Enter');
  await (
    await chooser
  ).setFiles([
    photo('struk.png'),
    { name: 'surat.pdf', mimeType: 'application/pdf', buffer: PDF },
    photo('salah.png'),
    photo('bukti.png'),
    photo('terlalu banyak.png'),
  ]);
  await expect(panel(page).getByText(/Paling banyak 4 berkas dalam satu pesan/)).toBeVisible();
  await expect(tray(page).getByRole('button')).toHaveCount(4);
  await expect(userMessageField(page)).toBeFocused();
  await expectDrawn(tray(page).getByRole('img', { name: 'struk.png' }));
  await tray(page).getByRole('button', { name: 'Hapus salah.png' }).press('Delete');
  await expect(tray(page).getByRole('button', { name: 'Hapus bukti.png' })).toBeFocused();
  await page.setViewportSize({ width: 320, height: 568 });
  await expectAccessible(page, 'files to be sent');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  for (const part of [tray(page), userMessageField(page), panel(page).getByRole('button', { name: 'Kirim' })])
    await expect(part).toBeInViewport({ ratio: 1 });

  await page.setViewportSize(PHONE);
  await userMessageField(page).fill('Ini buktinya, Bu');
  await page.reload();
  await openWidget(page);
  await expectDrawn(tray(page).getByRole('img', { name: 'bukti.png' }));
  await expect(userMessageField(page)).toHaveValue('Ini buktinya, Bu');
  await userMessageField(page).press('Enter');
  await expect(tray(page)).toHaveCount(0);

  const received = log(office).locator('[data-item]').filter({ hasText: 'Ini buktinya, Bu' });
  await expect(received).toContainText('surat.pdf');
  for (const name of ['struk.png', 'bukti.png'])
    await expectDrawn(received.getByRole('img', { name: `Foto dari ${user.name}: ${name}` }));
  await expect(received).not.toContainText('Foto: struk.png');

  await give(adminMessageField(office), 'paste', 'image.png', 'image/png', buildPng(320, 240));
  await expect(tray(office).getByRole('button')).toHaveCount(1);
  await give(log(office), 'drop', 'kuitansi.pdf', 'application/pdf', PDF);
  await expect(tray(office).getByText('kuitansi.pdf')).toBeVisible();
  await adminMessageField(office).press('Enter');
  await expect(tray(office)).toHaveCount(0);
  const answer = log(page).locator('[data-item]').filter({ hasText: 'kuitansi.pdf' });
  await expectDrawn(answer.getByRole('img', { name: `Foto dari ${admin.name}: gambar tempel.png` }));
});
