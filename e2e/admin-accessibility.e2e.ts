import { expectAccessible } from './accessibility.ts';
import { dialog, heading, tableRow } from './page-parts.ts';
import { expect } from './fixtures.ts';
import { homeRecord, shopRecord, test } from './records.ts';

test('the menus and dialogs of admins are accessible, light and dark', async ({
  page,
  admin,
  registerUserWith,
  openAs,
}) => {
  test.slow();
  const { user } = await registerUserWith(
    [
      { ...homeRecord, name: 'Rumah Kontras' },
      { ...shopRecord, name: 'Toko Kontras' },
    ],
    'Warga Kontras',
  );

  await test.step('users', async () => {
    await openAs(page, admin, '/admin/users');
    await tableRow(page, user.email)
      .getByRole('button', { name: `Tindakan lain untuk ${user.name}` })
      .click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page, 'the menu of a user in the list');
    await page.keyboard.press('Escape');
    await tableRow(page, user.email)
      .getByRole('button', { name: `Hapus (Delete) ${user.name}` })
      .click();
    await expect(dialog(page, 'Hapus Pengguna')).toBeVisible();
    await expectAccessible(page, 'the question before a user is deleted');
    await page.goto(`/admin/users/${user.id}`);
    await page.getByRole('button', { name: 'Tindakan lain' }).click();
    await expect(page.getByRole('menuitem', { name: /^Hapus/ })).toBeVisible();
    await expectAccessible(page, 'the menu of the page of a user');
  });

  await test.step('records', async () => {
    await page.goto('/admin/tax-records?cari=Kontras');
    await page.getByRole('button', { name: /^Aksi lain Rumah Kontras/ }).click();
    const remove = page.getByRole('menuitem', { name: /^Hapus \(Delete\) Rumah Kontras/ });
    await expect(remove).toBeVisible();
    await expectAccessible(page, 'the menu of a record');
    await remove.click();
    await expect(dialog(page, 'Hapus Data PBB')).toBeVisible();
    await expectAccessible(page, 'the question before a record is deleted');
  });

  await test.step('every page', async () => {
    await page.goto('/admin/dashboard');
    await expect(heading(page)).toContainText('Selamat datang');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Cari halaman/ }).fill('Kontras');
    await expect(page.getByRole('option', { name: /^Rumah Kontras/ })).toBeVisible();
    await expectAccessible(page, 'the search of everything');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(dialog(page, 'Pintasan keyboard')).toBeVisible();
    await expectAccessible(page, 'the keys');
  });
});
