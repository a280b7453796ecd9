import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { callAs, expect, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';
import { addRecord, homeRecord } from './records.ts';
import {
  bubble,
  conversationRow,
  holdUndo,
  messageTexts,
  openWidget,
  PHONE,
  sendAsAdmin,
  sendMessageByApi,
  test,
} from './chat-page.ts';

type PdfReader = { readPdfPages: (file: Blob) => Promise<string[]> };
const pdfReader = '#client/exports/testing/pdf-text.ts';

const head = (page: Page, user: TestUser) => page.getByRole('region', { name: `Percakapan dengan ${user.name}` });
const openChat = (user: TestUser): string => `/admin/chat?user=${user.id}`;

async function addNote(testServer: TestServer, admin: TestUser, user: TestUser, content: string): Promise<void> {
  await callAs(testServer, admin, 'POST', `/admin/conversations/${user.id}/notes`, {
    content,
    client_id: randomUUID(),
  });
}

/** Collects everything that a page receives: the bodies of all answers, and all frames of its sockets. */
function recordReceived(page: Page): () => Promise<string> {
  const parts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/') || response.url().includes('/socket.io/'))
      parts.push(response.text().catch(() => ''));
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => void parts.push(Promise.resolve(String(payload))));
  });
  return async () => (await Promise.all(parts)).join('\n');
}

test('two administrators see who handles a conversation and what is noted, and the user gets nothing of it', async ({
  testServer,
  admin,
  createAdmin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Yuni Astuti');
  const sari = await createAdmin('Sari Wulandari');
  await sendMessageByApi(testServer, user, admin, 'Berapa tagihan saya?');
  const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
  const receivedByUser = recordReceived(phone);
  await openWidget(phone);
  await expect(messageTexts(phone)).toHaveText(['Berapa tagihan saya?']);
  const [first, second] = [await openInNewContext(admin, openChat(user)), await openInNewContext(sari, openChat(user))];
  await expect(messageTexts(first)).toHaveText(['Berapa tagihan saya?']);
  await expect(messageTexts(second)).toHaveText(['Berapa tagihan saya?']);

  await head(second, user).getByRole('button', { name: 'Ambil', exact: true }).click();
  await expect(head(second, user).getByText('Anda menangani')).toBeVisible();
  await expect(head(first, user).getByText('Sari Wulandari menangani', { exact: true })).toBeVisible();
  await expect(conversationRow(first, user)).toContainText('Sari Wulandari menangani');

  const marker = randomUUID();
  await addNote(testServer, sari, user, `Sudah ditelepon ${marker}`);
  for (const page of [first, second]) {
    await expect(head(page, user).getByRole('article', { name: 'Catatan internal dari Sari Wulandari' })).toContainText(
      marker,
    );
    await expect(head(page, user).getByRole('button', { name: 'Catatan (1)' })).toBeVisible();
  }

  await head(first, user).getByRole('button', { name: 'Ambil alih' }).click();
  await expect(head(second, user).getByRole('button', { name: 'Ambil alih' })).toBeVisible();
  await sendAsAdmin(first, 'Rp 500.000, Bu.');
  await expect(messageTexts(phone)).toHaveText(['Berapa tagihan saya?', 'Rp 500.000, Bu.']);
  await phone.reload();
  await openWidget(phone);
  await expect(messageTexts(phone)).toHaveText(['Berapa tagihan saya?', 'Rp 500.000, Bu.']);

  const received = await receivedByUser();
  expect(received).toContain('Rp 500.000, Bu.');
  for (const secret of [marker, 'Catatan internal', 'Sari Wulandari', 'claimed_by', 'note_count'])
    expect(received, secret).not.toContain(secret);
  await expect(phone.locator('body')).not.toContainText(/Catatan internal|menangani|Sari/);

  await head(first, user).getByRole('button', { name: 'Catatan (1)' }).click();
  const notes = first.getByRole('dialog', { name: 'Catatan tentang Yuni Astuti' });
  await notes.getByRole('button', { name: 'Hapus catatan dari Sari Wulandari' }).click();
  await first.getByRole('dialog', { name: 'Hapus catatan' }).getByRole('button', { name: 'Hapus' }).click();
  await expect(notes.getByText('Belum ada catatan')).toBeVisible();
  await expect(head(second, user).getByRole('article', { name: /^Catatan internal/ })).toHaveCount(0);
  await expect(head(second, user).getByRole('button', { name: 'Catatan', exact: true })).toBeVisible();
});

test('a conversation is snoozed and needs no answer, both taken back', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Tono Wijaya');
  await sendMessageByApi(testServer, user, admin, 'Terima kasih');
  const page = await openInNewContext(admin, openChat(user));
  await expect(messageTexts(page)).toHaveText(['Terima kasih']);
  await head(page, user).getByRole('button', { name: 'Tidak perlu dibalas' }).click();
  await holdUndo(page);
  await expect(head(page, user).getByRole('button', { name: 'Tidak perlu dibalas' })).toBeDisabled();
  await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
  await expect(head(page, user).getByRole('button', { name: 'Tidak perlu dibalas' })).toBeEnabled();
  await head(page, user).getByRole('button', { name: 'Tunda' }).click();
  await page.getByRole('menuitem', { name: '1 jam' }).click();
  await expect(head(page, user).getByText(/^Ditunda s\.d\./)).toBeVisible();
  await head(page, user).getByRole('button', { name: 'Akhiri penundaan' }).click();
  await expect(head(page, user).getByRole('button', { name: 'Tunda' })).toBeVisible();
});

test('the records of the user stand beside the thread, follow a payment, and come in a drawer on a phone', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Rina Kartika');
  await addRecord(testServer, user, { ...homeRecord, due_date: '2025-09-30' });
  await sendMessageByApi(testServer, user, admin, 'Bu, saya sudah bayar');
  const page = await openInNewContext(admin, openChat(user));
  await head(page, user).getByRole('button', { name: 'Data PBB (1) · 1 menunggak' }).click();
  const panel = page.getByRole('complementary', { name: 'Data PBB' });
  await expect(panel.getByText(/^Tunggakan Rp\s1\.250\.000 \(1\)$/)).toBeVisible();
  await expect(bubble(page, 'Bu, saya sudah bayar')).toBeInViewport();
  await expectAccessible(page, 'the inbox with records');
  await panel.getByRole('button', { name: /^Tandai Lunas/ }).click();
  const question = page.getByRole('dialog', { name: 'Tandai 1 data lunas' });
  await question.getByRole('button', { name: 'Hari ini' }).click();
  await question.getByRole('button', { name: 'Tandai Lunas' }).click();
  await expect(panel.getByText('Tidak ada tunggakan')).toBeVisible();
  await page.reload();
  await expect(panel.getByText('Tidak ada tunggakan')).toBeVisible();

  await page.setViewportSize(PHONE);
  await expect(panel).toHaveCount(0);
  const name = page.getByRole('heading', { name: user.name });
  await expect(name).toBeVisible();
  const bottom = await page.getByRole('log').evaluate((log) => log.getBoundingClientRect().top);
  expect(bottom, 'the head of a conversation on a phone').toBeLessThan(140);
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Data PBB (1)' }).click();
  const drawer = page.getByRole('dialog', { name: `Data PBB ${user.name}` });
  await expect(drawer.getByText('Tidak ada tunggakan')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(name).toBeVisible();
});

test('a conversation is printed and saved as PDF with its messages and without its notes', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Bambang Susilo');
  await sendMessageByApi(testServer, user, admin, 'Apakah kantor buka hari Jumat?');
  await sendMessageByApi(testServer, admin, user, 'Buka sampai pukul 11.30.');
  await addNote(testServer, admin, user, 'RAHASIA-KANTOR');
  const page = await openInNewContext(admin, openChat(user), {
    prepare: async (context) => {
      await context.addInitScript(() => {
        window.print = () => document.documentElement.setAttribute('data-printed', '');
      });
    },
  });
  await expect(head(page, user).getByText('RAHASIA-KANTOR')).toBeVisible();

  await head(page, user).getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Unduh percakapan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unduh percakapan dengan Bambang Susilo' });
  const downloadEvent = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Unduh PDF' }).click();
  const download = await downloadEvent;
  expect(download.suggestedFilename()).toMatch(/^percakapan_bambang-susilo_\d{4}-\d\d-\d\d\.pdf$/);
  const { readPdfPages } = (await import(pdfReader)) as PdfReader;
  const [text = ''] = await readPdfPages(new Blob([await readFile(await download.path())]));
  for (const part of [
    'Bambang Susilo',
    'Apakah kantor buka hari Jumat?',
    'Buka sampai pukul 11.30.',
    'Halaman 1 dari 1',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('RAHASIA-KANTOR');
  await expect(dialog).toBeHidden();

  await head(page, user).getByRole('button', { name: 'Tindakan lain' }).click();
  await page.getByRole('menuitem', { name: 'Unduh percakapan' }).click();
  await dialog.getByRole('button', { name: 'Cetak' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', '');
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByTestId('transcript-sheet');
  await expect(sheet).toBeVisible();
  await expect(sheet).toContainText('Buka sampai pukul 11.30.');
  await expect(sheet).not.toContainText('RAHASIA-KANTOR');
  await expect(page.getByRole('log')).toBeHidden();
  await expect(page.getByText('RAHASIA-KANTOR')).toBeHidden();
});

test('Escape in a menu of a conversation closes that menu only, and open menus are accessible', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Tunda Tetap');
  await sendMessageByApi(testServer, user, admin, 'Kapan kantor buka?');
  const page = await openInNewContext(admin, openChat(user));
  await page.setViewportSize({ width: 1600, height: 900 });
  const field = page.getByPlaceholder('Tulis pesan...');
  await expect(field).toBeVisible();
  for (const name of ['Tunda', 'Tindakan lain', 'Lampirkan']) {
    const opener = head(page, user).getByRole('button', { name, exact: true });
    await opener.click();
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await expectAccessible(page, `the conversation with the menu ${name}`);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(opener).toBeFocused();
    await expect(page, name).toHaveURL(new RegExp(`user=${user.id}`));
  }
  await page.keyboard.press('Escape');
  await expect(field, 'without a menu Escape leaves the conversation').toHaveCount(0);
});
