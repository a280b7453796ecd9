import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import {
  adminMessageField,
  bubble,
  messageTexts,
  openWidget,
  PHONE,
  sendAsAdmin,
  sendAsUser,
  sendMessageByApi,
  storedMessageTexts,
  test,
  userMessageField,
} from './chat-page.ts';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { addRecord, homeRecord } from './records.ts';

const openChat = (user: TestUser): string => `/admin/chat?user=${user.id}`;
const heldBar = (page: Page) => page.getByRole('region', { name: 'Balasan Anda belum dikirim' });
const noteField = (page: Page) => page.getByPlaceholder('Tulis catatan internal...');
const quoteBar = (page: Page) => page.getByRole('region', { name: 'Pesan yang dikutip' });

test.describe('two answers at once', () => {
  test.use({ allowedConsoleErrors: [/409/] });

  test('store one, and the other waits for a decision, also after a reload', async ({
    testServer,
    admin,
    createAdmin,
    registerUser,
    openInNewContext,
  }) => {
    const user = await registerUser('Yuni Astuti');
    const sari = await createAdmin('Sari Wulandari');
    await sendMessageByApi(testServer, user, admin, 'Berapa tagihan saya?');
    const [first, second] = [
      await openInNewContext(admin, openChat(user)),
      await openInNewContext(sari, openChat(user)),
    ];
    for (const page of [first, second]) await expect(messageTexts(page)).toHaveText(['Berapa tagihan saya?']);

    // Sari presses Enter before the other answer is on her screen, and her call arrives after it.
    let letGo = (): void => {};
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await second.route('**/api/messages/send', async (route) => {
      await isLetGo;
      await route.continue();
    });
    await sendAsAdmin(second, 'Jawaban Sari');
    await expect(bubble(second, 'Jawaban Sari')).toBeVisible();
    await sendAsAdmin(first, 'Rp 500.000, Bu.');
    await expect.poll(() => storedMessageTexts(testServer, user)).toEqual(['Berapa tagihan saya?', 'Rp 500.000, Bu.']);
    await adminMessageField(second).fill('ketikan baru');
    letGo();
    await expect(heldBar(second)).toContainText(`${admin.name} sudah membalas pukul`);
    await expect(heldBar(second)).toContainText('Rp 500.000, Bu.');
    await expect(heldBar(second)).toContainText('Jawaban Sari');
    await expect(adminMessageField(second)).toHaveValue('ketikan baru');
    await expectAccessible(second, 'a second answer');

    await second.unroute('**/api/messages/send');
    await second.reload();
    await expect(heldBar(second)).toContainText(`${admin.name} sudah membalas pukul`);
    expect(storedMessageTexts(testServer, user)).toHaveLength(2);
    await heldBar(second).getByRole('button', { name: 'Tetap kirim' }).click();
    await expect(heldBar(second)).toHaveCount(0);
    await expect(messageTexts(first)).toHaveText(['Berapa tagihan saya?', 'Rp 500.000, Bu.', 'Jawaban Sari']);
    expect(storedMessageTexts(testServer, user)).toEqual(['Berapa tagihan saya?', 'Rp 500.000, Bu.', 'Jawaban Sari']);
  });
});

test('a note never reaches the user, whichever keys store it', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Yuni Astuti');
  await sendMessageByApi(testServer, user, admin, 'Halo');
  const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
  const received: Promise<string>[] = [];
  phone.on('response', (response) => void received.push(response.text().catch(() => '')));
  phone.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void received.push(Promise.resolve(String(payload)))),
  );
  await openWidget(phone);
  const page = await openInNewContext(admin, openChat(user));
  await adminMessageField(page).fill('Jawaban');
  await page.keyboard.press('Alt+n');
  await expect(page.getByText('Hanya terlihat oleh admin').first()).toBeVisible();
  await expect(noteField(page)).toBeFocused();
  await expectAccessible(page, 'a note');
  for (const [text, key] of [
    ['RAHASIA-1', 'Enter'],
    ['RAHASIA-2', 'Control+Enter'],
  ] as const) {
    await noteField(page).fill(text);
    await noteField(page).press(key);
    await expect(adminMessageField(page)).toBeFocused();
    await expect(page.getByRole('article', { name: /Catatan internal/ }).filter({ hasText: text })).toBeVisible();
    await page.keyboard.press('Alt+n');
    await expect(noteField(page)).toHaveValue('');
  }
  await page.keyboard.press('Alt+n');
  await expect(adminMessageField(page)).toHaveValue('Jawaban');
  await adminMessageField(page).press('Enter');
  await expect(messageTexts(phone)).toHaveText(['Halo', 'Jawaban']);
  expect((await Promise.all(received)).join('\n')).not.toContain('RAHASIA');
  expect(storedMessageTexts(testServer, user)).toEqual(['Halo', 'Jawaban']);
});

test('a quick reply has the real figures, asks for what is open, and the next one who waits is opened', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const [user, next] = [await registerUser('Yuni Astuti'), await registerUser('Budi Santoso')];
  await addRecord(testServer, user, { ...homeRecord, amount: 1_250_000, due_date: '2025-01-31' });
  await sendMessageByApi(testServer, next, admin, 'Saya menunggu');
  await sendMessageByApi(testServer, user, admin, 'Berapa tagihan saya?');
  const content = 'Bu {nama_depan}, tunggakan {jumlah_tunggakan}. Bayar sebelum {?tanggal}.';
  await callAs(testServer, admin, 'POST', '/admin/quick-replies', { shortcut: 'tagih', title: 'Tagihan', content });

  const page = await openInNewContext(admin, openChat(user));
  await adminMessageField(page).click();
  await page.keyboard.type('Baik. /tag');
  await expect(page.getByRole('option', { name: /tagih/ })).toBeVisible();
  await expectAccessible(page, 'the quick replies in the field');
  await page.keyboard.press('Enter');
  await expect(adminMessageField(page)).toHaveValue('Baik. Bu Yuni, tunggakan Rp 1.250.000. Bayar sebelum {?tanggal}.');
  await page.keyboard.press('Control+z');
  await expect(adminMessageField(page)).toHaveValue('Baik. /tag');
  await page.keyboard.press('Control+Shift+z');
  await expect(adminMessageField(page)).toHaveValue('Baik. Bu Yuni, tunggakan Rp 1.250.000. Bayar sebelum {?tanggal}.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Lengkapi: tanggal' })).toBeVisible();
  await page.keyboard.type('31 Desember');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: next.name })).toBeVisible();
  await expect
    .poll(() => storedMessageTexts(testServer, user))
    .toContain('Baik. Bu Yuni, tunggakan Rp 1.250.000. Bayar sebelum 31 Desember.');
  await sendAsAdmin(page, 'Ya, Pak?');
  await expect(bubble(page, 'Ya, Pak?')).toBeVisible();
  await adminMessageField(page).fill('Selesai');
  await adminMessageField(page).press('Control+Enter');
  await expect(page.getByText('Tidak ada lagi percakapan yang menunggu jawaban.')).toBeVisible();
});

test('both sides quote messages: by the pointer, by the keyboard and by touch', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
  browser,
  openAs,
}) => {
  const user = await registerUser('Yuni Astuti');
  await sendMessageByApi(testServer, user, admin, 'Berapa tagihan saya?');
  const page = await openInNewContext(admin, openChat(user));
  await bubble(page, 'Berapa tagihan saya?').hover();
  await page.getByRole('button', { name: 'Kutip pesan Yuni Astuti' }).click();
  await expect(quoteBar(page)).toContainText('Berapa tagihan saya?');
  await page.keyboard.type('Rp 500.000');
  await page.keyboard.press('Enter');
  await expect(bubble(page, 'Rp 500.000')).toContainText('Berapa tagihan saya?');

  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const phone = await context.newPage();
  await openAs(phone, user, '/dashboard');
  await openWidget(phone);
  await expect(bubble(phone, 'Rp 500.000')).toContainText('Berapa tagihan saya?');
  // A tap on the message shows its button.
  await bubble(phone, 'Rp 500.000').getByText('Rp 500.000').tap();
  await phone.getByRole('button', { name: `Kutip pesan ${admin.name}` }).tap();
  await expect(quoteBar(phone)).toContainText('Rp 500.000');
  await expect(userMessageField(phone)).toBeFocused();
  await sendAsUser(phone, 'Terima kasih');
  await expect(quoteBar(phone)).toHaveCount(0);
  await expect(bubble(page, 'Terima kasih')).toContainText('Rp 500.000');
  await context.close();

  await page.getByRole('log').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('k');
  await expect(quoteBar(page)).toContainText('Rp 500.000');
});

test('the page of the quick replies is usable on a phone and accessible', async ({ admin, openInNewContext }) => {
  const page = await openInNewContext(admin, '/admin/settings/quick-replies', { viewport: PHONE });
  const importButton = page.getByRole('button', { name: 'Impor sepuluh balasan contoh' });
  const first = page.getByRole('button', { name: /^Ubah \// }).first();
  await expect(importButton.or(first).first()).toBeVisible();
  if (await importButton.isVisible()) await importButton.click();
  await expect(first).toBeVisible();
  await expectAccessible(page, 'the quick replies');
  await first.click();
  await expect(page.getByRole('region', { name: 'Pratinjau' })).toBeVisible();
  await expectAccessible(page, 'the form of a quick reply');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});
