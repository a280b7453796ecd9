import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './accessibility.ts';
import { dialog, tableRow } from './admin-pages.ts';
import { expect } from './fixtures.ts';
import { PHONE, test, toast } from './people.ts';

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Masuk (Login)' }).click();
}

test('who forgot a password gets another one from the office', async ({
  page,
  admin,
  newResident,
  openAs,
  visit,
  quietConsole,
}) => {
  // The ended session, and the old password.
  quietConsole.push(/status of 401/);
  const resident = await newResident('Lupa Sandi');
  const phone = await visit(resident, '/dashboard', { viewport: PHONE });
  await expect(phone.getByRole('button', { name: /^Buka Live Chat/ })).toBeVisible();

  await openAs(page, admin, '/admin/users');
  await tableRow(page, resident.email)
    .getByRole('button', { name: `Edit ${resident.name}` })
    .click();
  await dialog(page, 'Edit Pengguna').getByRole('button', { name: 'Atur ulang password' }).click();
  const reset = dialog(page, 'Atur Ulang Password');
  await expectAccessible(page, 'Atur Ulang Password');
  const shown = reset.getByLabel('Password baru', { exact: true }).and(page.locator('code'));
  const password = (await shown.textContent()) ?? '';
  expect(password).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  await reset.getByRole('button', { name: 'Ganti password' }).press('Enter');
  const question = dialog(page, 'Ganti password?');
  await expect(question).toContainText(`Semua sesi ${resident.name} akan berakhir`);
  await expect(phone).toHaveURL('/dashboard');
  await question.getByRole('button', { name: 'Ganti password' }).press('Enter');
  await expect(toast(page, `Password ${resident.name} sudah diganti`)).toBeVisible();
  await expect(shown).toHaveText(password);
  await expect(reset.getByRole('button', { name: 'Selesai' })).toBeFocused();

  await expect(phone).toHaveURL('/login');
  await signIn(phone, resident.email, resident.password);
  await expect(phone.getByText('Email atau password salah').first()).toBeVisible();
  await signIn(phone, resident.email, password);
  await phone.waitForURL('/dashboard');

  await page.keyboard.press('Enter');
  await expect(reset).toBeHidden();
  await expect(dialog(page, 'Edit Pengguna')).toBeVisible();
  await page.goto('/admin/audit');
  const entry = page.getByRole('main').getByRole('listitem').filter({ hasText: resident.email }).first();
  await expect(entry).toContainText(admin.name);
  await expect(page.getByText(password)).toHaveCount(0);
});

test('a new password is given on a phone too', async ({ admin, newResident, visit }) => {
  const resident = await newResident('Siti Lupa');
  const page = await visit(admin, `/admin/users?edit=${resident.id}`, { viewport: PHONE });
  await dialog(page, 'Edit Pengguna').getByRole('button', { name: 'Atur ulang password' }).click();
  const reset = dialog(page, 'Atur Ulang Password');
  await reset.getByRole('button', { name: 'Salin password' }).click();
  await expect(reset.getByText(/^Password (disalin|sudah dipilih)/)).toBeVisible();
  await expectFits(page, 'Atur Ulang Password');
  await reset.getByRole('radio', { name: 'Ketik sendiri' }).check();
  await reset.getByLabel('Ketik password baru').fill('enam66');
  await expectAccessible(page, 'Atur Ulang Password');
  await reset.getByRole('button', { name: 'Ganti password' }).click();
  await dialog(page, 'Ganti password?').getByRole('button', { name: 'Ganti password' }).click();
  await expect(toast(page, `Password ${resident.name} sudah diganti`)).toBeVisible();
  await expect(reset).toBeHidden();
});
