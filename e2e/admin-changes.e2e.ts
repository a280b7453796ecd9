import { expect } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { dialog } from './page-parts.ts';
import { test } from './chat-page.ts';

const PHONE = { width: 390, height: 844 };
const SMALL_PHONE = { width: 320, height: 640 };

test('every other admin sees who made and who deleted an administrator, until it was marked as seen', async ({
  page,
  admin,
  registerUser,
  createAdmin,
  openAs,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 422/);
  const user = await registerUser('Joko Susilo');
  const dewi = await createAdmin('Dewi Lestari');
  const dewisPage = await openInNewContext(dewi, '/admin/chat');
  await expect(dewisPage.getByRole('heading', { level: 1 })).toBeVisible();

  await openAs(page, admin, `/admin/users?edit=${user.id}`);
  const editor = dialog(page, 'Edit Pengguna');
  await editor.getByRole('checkbox', { name: 'Hak Akses Admin' }).check();
  await editor.getByRole('button', { name: 'Update' }).click();
  const newAdmin = dialog(page, 'Administrator baru');
  await expect(newAdmin).toContainText(`Jadikan Joko Susilo (${user.email}) administrator?`);
  const password = newAdmin.getByRole('textbox', { name: 'Password Anda' });
  await password.fill('salah');
  await password.press('Enter');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'the dialog that makes an administrator');
  await password.fill(admin.password);
  await password.press('Enter');
  await expect(editor).toBeHidden();

  // The inbox fills the window; the line stands above it, without a reload.
  const line = dewisPage.getByRole('alert').filter({ hasText: `${admin.name} menjadikan Joko Susilo` });
  await expect(line).toBeVisible();
  await expectAccessible(dewisPage, 'the inbox with a notice');
  await dewisPage.setViewportSize(PHONE);
  await expectNoOverflow(dewisPage, 'the inbox with a notice on a phone');
  await expect(page.getByRole('alert').filter({ hasText: 'menjadikan' })).toHaveCount(0);

  await page.goto('/admin/users?peran=admin&cari=Joko');
  await page.getByRole('button', { name: 'Hapus (Delete) Joko Susilo' }).click();
  const question = dialog(page, 'Hapus Pengguna');
  await expectAccessible(page, 'the question before an administrator is deleted');
  await expect(question.getByRole('textbox', { name: 'Password Anda' })).toBeFocused();
  await page.keyboard.type(admin.password);
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();

  await dewisPage.goto('/admin/dashboard');
  const notice = dewisPage.getByRole('alert').filter({ hasText: 'menghapus akun admin Joko Susilo' });
  await expect(notice).toContainText('menjadikan Joko Susilo');
  await expectNoOverflow(dewisPage, 'the dashboard with notices on a phone');
  await notice.getByRole('link', { name: 'Lihat riwayat' }).click();
  await expect(dewisPage).toHaveURL(/\/admin\/audit\?dari=[\d-]+&orang=/);
  await notice.getByRole('button', { name: 'Sudah saya lihat' }).click();
  await expect(notice).toHaveCount(0);
  await dewisPage.reload();
  await expect(dewisPage.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(dewisPage.getByRole('alert').filter({ hasText: 'Joko Susilo' })).toHaveCount(0);
});

test('a forgotten password leads to the office, by keyboard and on a small phone', async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 401/);
  await page.setViewportSize(SMALL_PHONE);
  await page.goto('/login');
  await page.getByLabel('Email').fill('lupa@contoh.id');
  await page.getByLabel('Password', { exact: true }).fill('entah-apa');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Email atau password salah');
  await page.getByRole('button', { name: 'Lupa password? Lihat caranya' }).focus();
  await page.keyboard.press('Enter');
  // The address that was typed for the login is there.
  const field = page.getByRole('textbox', { name: 'Email, nomor HP, atau kode kartu' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('lupa@contoh.id');
  await expectNoOverflow(page, 'the help for a forgotten password');
  await expectAccessible(page, 'the help for a forgotten password');
});
