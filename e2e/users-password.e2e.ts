import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { dialog, tableRow } from './page-parts.ts';
import { callAs, expect } from './fixtures.ts';
import { PHONE, test, toast } from './chat-page.ts';
import { logIn } from './login-page.ts';

test('an admin resets the password of a user, who then signs in with it', async ({
  page,
  admin,
  registerUser,
  openAs,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  // The ended session, and the old password.
  allowedConsoleErrors.push(/status of 401/);
  const user = await registerUser('Lupa Sandi');
  const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
  await expect(phone.getByRole('button', { name: /^Buka Live Chat/ })).toBeVisible();

  await openAs(page, admin, '/admin/users');
  await tableRow(page, user.email)
    .getByRole('button', { name: `Edit ${user.name}` })
    .click();
  await dialog(page, 'Edit Pengguna').getByRole('button', { name: 'Atur ulang password' }).click();
  const reset = dialog(page, 'Atur Ulang Password');
  await expectAccessible(page, 'Atur Ulang Password');
  const shown = reset.getByLabel('Password baru', { exact: true }).and(page.locator('code'));
  const password = (await shown.textContent()) ?? '';
  expect(password).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  await reset.getByRole('button', { name: 'Ganti password' }).press('Enter');
  const question = dialog(page, 'Ganti password?');
  await expect(question).toContainText(`Semua sesi ${user.name} akan berakhir`);
  await expect(phone).toHaveURL('/dashboard');
  await question.getByRole('button', { name: 'Ganti password' }).press('Enter');
  await expect(toast(page, `Password ${user.name} sudah diganti`)).toBeVisible();
  await expect(shown).toHaveText(password);
  await expect(reset.getByRole('button', { name: 'Selesai' })).toBeFocused();

  await expect(phone).toHaveURL('/login');
  await logIn(phone, user);
  await expect(phone.getByText('Email atau password salah').first()).toBeVisible();
  await logIn(phone, { ...user, password });
  // A password of the office opens nothing but the page for another one.
  await phone.waitForURL('/new-password');

  await page.keyboard.press('Enter');
  await expect(reset).toBeHidden();
  await expect(dialog(page, 'Edit Pengguna')).toBeVisible();
  await page.goto('/admin/audit');
  const entry = page.getByRole('main').getByRole('listitem').filter({ hasText: user.email });
  await expect(entry.filter({ hasText: admin.name }).first()).toContainText('mengganti password');
  await expect(page.getByText(password)).toHaveCount(0);
});

test('an admin can reset a password on a phone too', async ({ admin, registerUser, openInNewContext }) => {
  const user = await registerUser('Siti Lupa');
  const page = await openInNewContext(admin, `/admin/users?edit=${user.id}`, { viewport: PHONE });
  await dialog(page, 'Edit Pengguna').getByRole('button', { name: 'Atur ulang password' }).click();
  const reset = dialog(page, 'Atur Ulang Password');
  await reset.getByRole('button', { name: 'Salin password' }).click();
  await expect(reset.getByText(/^Password (disalin|sudah dipilih)/)).toBeVisible();
  await expectNoOverflow(page, 'Atur Ulang Password');
  await reset.getByRole('radio', { name: 'Ketik sendiri' }).check();
  await reset.getByLabel('Ketik password baru').fill('enam66');
  await expectAccessible(page, 'Atur Ulang Password');
  await reset.getByRole('button', { name: 'Ganti password' }).click();
  await dialog(page, 'Ganti password?').getByRole('button', { name: 'Ganti password' }).click();
  await expect(toast(page, `Password ${user.name} sudah diganti`)).toBeVisible();
  await expect(reset).toBeHidden();
});

test('who signs in with a password of the office chooses another one before anything else', async ({
  page,
  admin,
  user,
  testServer,
}) => {
  const password = 'dari-kantor';
  await callAs(testServer, admin, 'PUT', `/admin/users/${user.id}/password`, { password, must_change: true });
  await page.setViewportSize(PHONE);
  await page.goto('/login');
  await logIn(page, { ...user, password });
  await page.waitForURL('/new-password');
  await page.goto('/tax-records');
  await expect(page.getByRole('heading', { name: 'Ganti password Anda dulu' })).toBeVisible();
  await expectNoOverflow(page, 'the page for a new password');
  await expectAccessible(page, 'the page for a new password');
  await page.getByLabel('Password lama (dari kantor)').fill(password);
  await page.getByLabel('Password baru', { exact: true }).fill('pilihan-sendiri');
  await page.getByLabel('Konfirmasi password baru', { exact: true }).fill('pilihan-sendiri');
  await page.getByRole('button', { name: 'Simpan password' }).click();
  await page.waitForURL('/dashboard');
  await expect(page.getByText(/^Kantor mengganti password akun Anda/)).toBeVisible();
});
