import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { PHONE, test } from './chat-page.ts';
import { expect } from './fixtures.ts';
import { dialog } from './page-parts.ts';

test('an admin announces a retention by keyboard, sees it above other pages, and stops it there', async ({
  page,
  admin,
  openAs,
}) => {
  await openAs(page, admin, '/admin/settings');
  await page.getByRole('link', { name: /^Masa Simpan/ }).click();
  const messages = page.getByLabel('Pesan chat');
  await expect(page.getByText('Tidak ada pesan yang dihapus otomatis.')).toBeVisible();
  await messages.focus();
  await messages.selectOption('2 tahun');
  await page.getByRole('button', { name: 'Simpan…' }).press('Enter');
  const question = dialog(page, 'Ubah masa simpan');
  await expect(question.getByText('pesan chat yang lebih lama dari 2 tahun')).toBeVisible();
  await expectAccessible(page, 'the question');
  await question.getByRole('textbox', { name: 'Password Anda' }).fill(admin.password);
  await page.keyboard.press('Enter');
  const announced = page.getByText(/^Mulai .* dihapus: pesan chat yang lebih lama dari 2 tahun\.$/);
  await expect(announced).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hentikan' })).toHaveCount(1);
  for (const viewport of [{ width: 320, height: 700 }, PHONE, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport);
    await expectNoOverflow(page, `the page, ${viewport.width} px`);
  }
  await expectAccessible(page, 'the page');

  await page.goto('/admin/users');
  await expect(page.getByText(/dihapus dari server: pesan chat yang lebih lama dari 2 tahun\. Diatur/)).toBeVisible();
  await expectAccessible(page, 'the line of the announcement');
  await page.getByRole('button', { name: 'Hentikan' }).press('Enter');
  await dialog(page, 'Hentikan penghapusan').getByRole('button', { name: 'Hentikan' }).click();
  await expect(page.getByText(/dihapus dari server/)).toHaveCount(0);
  await page.goto('/admin/audit');
  await expect(page.getByRole('link', { name: 'masa simpan' })).toHaveCount(2);
});
