import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { heading } from './page-parts.ts';

const PHONE = { width: 390, height: 844 };
const NARROWEST = { width: 320, height: 640 };
const CHAPTER = 'Daftar dari kantor pajak';

test('an empty list leads to its chapter of the handbook, whose pictures are there', async ({
  page,
  context,
  admin,
  openAs,
}) => {
  await page.setViewportSize(PHONE);
  await openAs(page, admin, '/admin/dhkp?tahun=1999');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Baca panduannya (terbuka di tab baru)' }).click();
  const chapter = await opened;
  await chapter.setViewportSize(PHONE);
  await expect(heading(chapter)).toHaveText(CHAPTER);
  const pictures = chapter.getByRole('figure').getByRole('img');
  await expect(pictures).toHaveCount(8);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300);
  }
  await expectAccessible(chapter, 'a chapter of the handbook');
  await chapter.setViewportSize(NARROWEST);
  await expectNoOverflow(chapter, 'a chapter of the handbook, 320 px');
});

test('the handbook is read without a session: by keyboard, from its chapters to a table on a phone', async ({
  page,
}) => {
  await page.setViewportSize(NARROWEST);
  await page.goto('/panduan');
  await expect(heading(page)).toHaveText('Panduan Operasional PBB Kita');
  await expectAccessible(page, 'the chapters of the handbook');
  await expectNoOverflow(page, 'the chapters of the handbook, 320 px');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('link', { name: 'Pesan dan tindakan' }).click();
  await expect(heading(page)).toHaveText('Pesan dan tindakan');
  await expect(page.getByRole('cell').first()).toBeVisible();
  await expectAccessible(page, 'a table of the handbook');
  await expectNoOverflow(page, 'a table of the handbook, 320 px');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
});
