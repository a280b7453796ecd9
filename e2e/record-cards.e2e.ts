import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { bubble, openConversation, panel, sendAsUser, test, userMessageField } from './chat-page.ts';
import { buildFilePayload, buildPng } from './images.ts';
import { addRecord, homeRecord, readStoredRecords } from './records.ts';

const card = (page: Page) => page.getByRole('log').getByRole('region', { name: 'Data PBB 2025' });

/** Counts what a hand presses from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.body.dataset['clicks'] = '0';
    document.addEventListener(
      'click',
      ({ isTrusted }) => {
        if (isTrusted) document.body.dataset['clicks'] = String(Number(document.body.dataset['clicks']) + 1);
      },
      { capture: true },
    );
  });
  return async () => Number(await page.evaluate(() => document.body.dataset['clicks']));
}

test('a record and a photo settle in the chat whether it was paid', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
  openPhoneChat,
}) => {
  const [user, stranger] = [await registerUser('Budi Santoso'), await registerUser('Orang Lain')];
  await addRecord(testServer, user);
  await addRecord(testServer, stranger, { ...homeRecord, spt_number: '99.99.010.001.002-0099.9' });
  const phone = await openPhoneChat(user);
  await panel(phone).getByRole('button', { name: 'Lampirkan' }).click();
  await phone.getByRole('menuitem', { name: 'Bagikan data PBB' }).click();
  await phone
    .getByRole('dialog', { name: 'Bagikan data PBB' })
    .getByRole('button', { name: /PBB 2025/ })
    .click();
  await expect(userMessageField(phone)).toBeFocused();
  await phone.keyboard.type('Sudah saya bayar');
  await phone.keyboard.press('Enter');
  await expect(card(phone)).toContainText('Belum Lunas');
  const office = await openInNewContext(admin, '/admin/chat');
  await openConversation(office, user);
  await expect(card(office)).toContainText('33.74.010.001.002-0034.0');

  await panel(phone)
    .locator('input[type="file"]')
    .first()
    .setInputFiles(buildFilePayload(buildPng(320, 240)));
  await expect(panel(phone).getByRole('button', { name: 'Hapus struk.png' })).toBeVisible();
  await panel(phone).getByRole('button', { name: 'Kirim' }).click();
  const fileAsProof = panel(phone).getByRole('button', { name: 'Jadikan bukti' });
  await expect(fileAsProof).toBeVisible();
  const readClicks = await countClicks(phone);
  await fileAsProof.click();
  const proofDialog = phone.getByRole('dialog', { name: 'Jadikan bukti pembayaran' });
  await expect(proofDialog.getByRole('radio', { checked: true })).toHaveCount(0);
  await proofDialog.getByRole('radio', { name: 'Simpan fotonya dulu' }).click();
  await proofDialog.getByRole('button', { name: 'Simpan', exact: true }).click();
  await expect(card(phone).first()).toContainText('Saat dikirim: Belum Lunas → kini Proses');
  expect(await readClicks()).toBe(3);
  for (const page of [phone, office]) {
    await expect(page.getByRole('log').getByText(/disimpan sebagai bukti PBB 2025/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Bukti PBB 2025' })).toBeVisible();
  }
  await office.reload();
  await expect(office.getByRole('button', { name: 'Bukti PBB 2025' })).toBeVisible();
  expect(readStoredRecords(testServer, user)[0]).toMatchObject({ status: 'proses', proof_file: expect.any(String) });

  await card(office)
    .first()
    .getByRole('button', { name: /^Tandai Lunas/ })
    .click();
  await office.getByRole('dialog').getByRole('button', { name: 'Hari ini' }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Tandai Lunas' }).click();
  for (const page of [phone, office]) {
    await expect(card(page).first()).toContainText(/Saat dikirim: Belum Lunas → kini Lunas \(\d+ \S+ \d\d\.\d\d\)/);
  }

  await sendAsUser(phone, 'NOP 33 74 010 001 002 0034 0, dan milik tetangga 99.99.010.001.002-0099.9');
  for (const page of [phone, office]) {
    const named = bubble(page, 'milik tetangga');
    await expect(named.getByRole('button', { name: /^Lihat data PBB/ })).toHaveCount(1);
    await named.getByRole('button', { name: 'Lihat data PBB 2025 · SPT 33.74.010.001.002-0034.0' }).click();
    await expect(named.getByRole('region', { name: 'Data PBB 2025' })).toContainText('Lunas');
  }
});
