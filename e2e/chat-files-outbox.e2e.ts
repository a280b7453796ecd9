import type { Page } from '@playwright/test';
import { takeCameraPhoto } from './camera-photo.ts';
import { launcher, panel, PHONE, sendAsUser, storedMessageTexts, test, ticks, userMessageField } from './chat-page.ts';
import { expect } from './fixtures.ts';

test.use({ allowedConsoleErrors: [/net::ERR_FAILED/], viewport: PHONE });

/** Nothing of the server answers any more, except the files of the page itself, which a browser may have stored. */
async function cutNetwork(page: Page): Promise<() => Promise<void>> {
  const cut = ['**/api/**', '**/socket.io/**', '**/uploads/**'];
  for (const pattern of cut) await page.route(pattern, (route) => route.abort());
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  return async () => {
    for (const pattern of cut) await page.unroute(pattern);
  };
}

/** The size of a picture as the browser shows it, and how red its corners are: top left and top right. */
const look = (page: Page, alt: string) =>
  page
    .getByRole('log')
    .locator(`img[alt*="${alt}"]`)
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const isRed = (x: number, y: number): boolean => {
        const [red = 0, green = 0] = context?.getImageData(x, y, 1, 1).data ?? [];
        return red > 150 && green < 90;
      };
      return {
        isUpright: canvas.height > canvas.width,
        leftIsRed: isRed(10, 10),
        rightIsRed: isRed(canvas.width - 10, 10),
      };
    });
const upright = { isUpright: true, leftIsRed: false, rightIsRed: true };

test('a photo of 12 megapixels survives a dead line and a reload, and arrives once, small and upright', async ({
  browser,
  testServer,
  page,
  openAs,
  registerUser,
}) => {
  const user = await registerUser('Lestari Handayani');
  const photo = await takeCameraPhoto(browser);
  expect(photo.length).toBeGreaterThan(1_500_000);
  await openAs(page, user, '/dashboard');
  await launcher(page).click();
  await expect(userMessageField(page)).toBeVisible();
  const restore = await cutNetwork(page);
  await panel(page)
    .locator('input[type="file"][multiple]')
    .setInputFiles({ name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: photo });
  // Twelve megapixels, on a machine that does other work, too.
  await expect(panel(page).getByRole('button', { name: /IMG_0001/ })).toBeVisible({ timeout: 60_000 });
  // A draft with its photo is there after a reload.
  await page.reload();
  await launcher(page).click();
  await expect(panel(page).getByRole('button', { name: /IMG_0001/ })).toBeVisible();
  await sendAsUser(page, 'Ini buktinya');
  await sendAsUser(page, 'Sudah masuk?');
  expect(await look(page, 'IMG_0001')).toEqual(upright);
  await expect(page.getByRole('log').getByText('Menunggu berkas sebelumnya terkirim')).toBeVisible();
  await page.reload();
  await launcher(page).click();
  expect(await look(page, 'IMG_0001')).toEqual(upright);
  expect(storedMessageTexts(testServer, user)).toEqual([]);

  await restore();
  await expect(ticks(page, 'Sudah masuk?')).toHaveAttribute('data-delivery', 'stored');
  await expect(ticks(page, 'Ini buktinya')).toHaveAttribute('data-delivery', 'stored');
  expect(storedMessageTexts(testServer, user)).toEqual(['Ini buktinya\nFoto: IMG_0001.jpg', 'Sudah masuk?']);
  await page.reload();
  await launcher(page).click();
  expect(await look(page, 'IMG_0001')).toEqual(upright);

  const [stored, ...others] = testServer.withDatabase(
    (database) =>
      database
        .prepare('select width, height, bytes, thumb_bytes from attachments where uploader_id = ?')
        .all(user.id) as Record<string, number>[],
  );
  expect([stored, others]).toMatchObject([{ width: 1200, height: 1600 }, []]);
  expect(stored?.['bytes']).toBeLessThan(450_000);
  expect(stored?.['thumb_bytes']).toBeGreaterThan(1000);
});
