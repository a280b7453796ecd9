import type { Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { launcher, PHONE, test } from './chat-page.ts';
import { expect } from './fixtures.ts';
import { logIn } from './login-page.ts';
import { countPresses, dialog } from './page-parts.ts';

const SMALL_PHONE = { width: 320, height: 700 };
const DESKTOP = { width: 1440, height: 900 };
const REASON = 'Masih ada tagihan yang menunggak';

async function expectFitting(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? PHONE;
  await page.setViewportSize(SMALL_PHONE);
  await expectNoOverflow(page, `${name}, 320 px`);
  await page.setViewportSize(size);
  await expectNoOverflow(page, name);
  await expectAccessible(page, name);
}

test('an account asks to be deleted, is told why not, withdraws a second request, and a third one is approved at the counter', async ({
  page,
  admin,
  registerUser,
  openAs,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  // The session that ends with its account, and the login that fails.
  allowedConsoleErrors.push(/status of 401/);
  const user = await registerUser('Warga Pindah');
  const phone = await openInNewContext(user, '/account', { viewport: PHONE });
  const ask = async (): Promise<void> => {
    await phone.getByRole('button', { name: 'Hapus akun saya' }).click();
    await dialog(phone, 'Hapus akun saya').getByRole('textbox', { name: 'Password Anda' }).fill(user.password);
    await dialog(phone, 'Hapus akun saya').getByRole('button', { name: 'Kirim permintaan' }).click();
    await expect(phone.getByText('Permintaan Anda menunggu kantor')).toBeVisible();
  };
  const decide = async (button: 'Setujui' | 'Tolak'): Promise<void> => {
    await page.getByRole('button', { name: `${button} permintaan ${user.name}` }).click();
  };

  await test.step('ask in two presses', async () => {
    await expect(phone.getByRole('button', { name: 'Hapus akun saya' })).toBeVisible();
    const presses = await countPresses(phone);
    await phone.getByRole('button', { name: 'Hapus akun saya' }).click();
    await expectFitting(phone, 'the dialog of who asks');
    // As a password manager fills it; each key of a keyboard would be counted.
    await dialog(phone, 'Hapus akun saya').getByRole('textbox', { name: 'Password Anda' }).fill(user.password);
    await dialog(phone, 'Hapus akun saya').getByRole('button', { name: 'Kirim permintaan' }).click();
    await expect(phone.getByText('Permintaan Anda menunggu kantor')).toBeVisible();
    expect(await presses()).toBe(2);
    await phone.goto('/dashboard');
    await expect(phone.getByText(/^Anda meminta akun dihapus, /)).toBeVisible();
    await phone.goto('/account');
    await expectFitting(phone, 'the account with a request');
  });

  await test.step('the office rejects it with a reason', async () => {
    await page.setViewportSize(DESKTOP);
    await openAs(page, admin, '/admin/dashboard');
    await page.getByRole('link', { name: /^Permintaan hapus akun \(1\) tenggat 2 hari lagi/ }).click();
    await expect(page.getByText('0 data PBB')).toBeVisible();
    await expectFitting(page, 'the requests');
    await decide('Tolak');
    await dialog(page, 'Tolak permintaan').getByRole('textbox', { name: 'Alasan untuk warga' }).fill(REASON);
    await dialog(page, 'Tolak permintaan').getByRole('textbox', { name: 'Password Anda' }).fill(admin.password);
    await expectFitting(page, 'the dialog of a rejection');
    await dialog(page, 'Tolak permintaan').getByRole('button', { name: 'Tolak' }).click();
    await expect(page.getByText('Tidak ada permintaan hapus akun')).toBeVisible();
    await expect(phone.getByText(`Alasan kantor: ${REASON}`)).toBeVisible();
    await launcher(phone).click();
    const inChat = phone.getByRole('log').getByText(`Permintaan hapus akun Anda ditolak kantor: ${REASON}`);
    await expect(inChat).toBeVisible();
    await phone.goto('/account');
  });

  await test.step('ask again and withdraw', async () => {
    await ask();
    await expect(page.getByRole('button', { name: `Setujui permintaan ${user.name}` })).toBeVisible();
    await phone.getByRole('button', { name: 'Batalkan permintaan' }).first().click();
    await expect(phone.getByRole('button', { name: 'Hapus akun saya' })).toBeVisible();
    await expect(page.getByText('Tidak ada permintaan hapus akun')).toBeVisible();
  });

  await test.step('ask once more, and be approved at the counter', async () => {
    await ask();
    await decide('Setujui');
    const question = dialog(page, 'Setujui hapus akun');
    await question.getByRole('textbox', { name: 'Password Anda' }).fill(admin.password);
    await question.getByRole('button', { name: 'Hapus akun' }).click();
    await expect(question.getByText(/^Baru dapat disetujui mulai/)).toBeVisible();
    await expectFitting(page, 'the dialog of an approval');
    await question.getByRole('switch', { name: 'Diperiksa di loket' }).click();
    await question.getByRole('button', { name: 'Hapus akun' }).click();
    await expect(page.getByText('Tidak ada permintaan hapus akun')).toBeVisible();
    await expect(phone).toHaveURL('/login');
    await logIn(phone, user);
    await expect(phone.getByText('Email atau password salah')).toBeVisible();
  });
});
