import type { Page } from '@playwright/test';
import { callAs, expect, type TestUser } from './fixtures.ts';
import { conversationList, conversationRow, holdUndo, PHONE, sendMessageByApi, test, toast } from './chat-page.ts';
import type { TestServer } from './test-server.ts';

const filter = (page: Page, label: string | RegExp) => conversationList(page).getByRole('radio', { name: label });
const selectionBar = (page: Page) => page.getByRole('region', { name: 'Percakapan yang dipilih' });
const rowIds = (page: Page) =>
  conversationList(page)
    .locator('[data-user-id]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-user-id')));

/** Moves the beginning of a wait into the past: no test waits ten minutes. */
function waitSince(testServer: TestServer, user: TestUser, minutesAgo: number): void {
  testServer.withDatabase((database) =>
    database
      .prepare('update conversations set unanswered_since = ? where user_id = ?')
      .run(Date.now() - minutesAgo * 60_000 - 1000, user.id),
  );
}

test('shows who waits longest first, with the number of each filter, also in words', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const [agus, budi, citra, dewi] = [
    await registerUser('Agus Lama'),
    await registerUser('Budi Sedang'),
    await registerUser('Citra Baru'),
    await registerUser('Dewi Terjawab'),
  ];
  for (const user of [dewi, agus, budi, citra]) await sendMessageByApi(testServer, user, admin, 'Selamat pagi');
  await sendMessageByApi(testServer, admin, dewi, 'Selamat pagi, Bu');
  waitSince(testServer, agus, 12);
  waitSince(testServer, budi, 3);
  // An old link.
  const page = await openInNewContext(admin, '/admin/chat?show=unanswered');
  await expect(filter(page, 'Belum dibalas (3)')).toBeChecked();
  await expect(filter(page, 'Belum dibaca (4)')).toBeVisible();
  await expect(filter(page, 'Saya (1)')).toBeVisible();
  await expect.poll(() => rowIds(page)).toEqual([agus.id, budi.id, citra.id]);
  await expect(conversationRow(page, agus)).toContainText('menunggu 12 mnt');
  await expect(conversationRow(page, agus)).toContainText('Menunggu balasan 12 menit, sudah lama');
  await expect(conversationRow(page, budi)).toContainText('Menunggu balasan 3 menit, mulai lama');
  await sendMessageByApi(testServer, admin, agus, 'Sudah kami periksa');
  await expect(filter(page, 'Belum dibalas (2)')).toBeVisible();
  await expect.poll(() => rowIds(page)).toEqual([budi.id, citra.id]);
  await filter(page, /^Saya/).check();
  await expect(filter(page, 'Saya (2)')).toBeChecked();
  await expect.poll(() => rowIds(page)).toEqual([agus.id, dewi.id]);
  await expect(conversationRow(page, dewi)).toContainText('Anda menangani');
  await filter(page, 'Ditunda').check();
  await expect(page.getByText('Tidak ada yang ditunda')).toBeVisible();
});

test('shows on a colleague’s screen who handles a conversation and who looks at it', async ({
  testServer,
  admin,
  createAdmin,
  registerUser,
  openInNewContext,
}) => {
  const sari = await createAdmin('Sari Wulandari');
  const user = await registerUser('Eko Prasetyo');
  await sendMessageByApi(testServer, user, admin, 'Permisi');
  const page = await openInNewContext(admin, '/admin/chat');
  const colleaguePage = await openInNewContext(sari, '/admin/chat');
  await conversationRow(colleaguePage, user).click({ button: 'right' });
  await colleaguePage.getByRole('menuitem', { name: 'Ambil', exact: true }).click();
  await expect(conversationRow(colleaguePage, user)).toContainText('Anda menangani');
  await expect(conversationRow(page, user)).toContainText('Sari Wulandari menangani');
  await conversationRow(colleaguePage, user).click();
  await expect(conversationRow(page, user)).toContainText('Sari Wulandari sedang melihat');
  await colleaguePage.getByPlaceholder('Tulis pesan...').pressSequentially('Baik');
  await expect(conversationRow(page, user)).toContainText('Sari Wulandari sedang menulis');
  // The keyboard reaches the menu too.
  await conversationRow(page, user).focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Ambil alih dari Sari Wulandari' }).press('Enter');
  await expect(conversationRow(colleaguePage, user)).not.toContainText('Anda menangani');
  await expect(conversationRow(page, user)).toContainText('Anda menangani');
});

test('claims several conversations at once, names the one of a colleague, and undoes the rest', async ({
  testServer,
  admin,
  createAdmin,
  registerUser,
  openInNewContext,
  allowedConsoleErrors,
}) => {
  // The refusal of a claim.
  allowedConsoleErrors.push(/status of 409/);
  const sari = await createAdmin('Sari Wulandari');
  const users = [await registerUser('Fajar'), await registerUser('Gita'), await registerUser('Hadi')];
  const [fajar, gita, hadi] = users as [TestUser, TestUser, TestUser];
  for (const user of [hadi, gita, fajar]) await sendMessageByApi(testServer, user, admin, 'Mohon info');
  const colleaguePage = await openInNewContext(sari, '/admin/chat');
  await expect(conversationRow(colleaguePage, gita)).toBeVisible();
  await callAs(testServer, sari, 'POST', `/admin/conversations/${gita.id}/claim`, {});
  const page = await openInNewContext(admin, '/admin/chat');
  await conversationRow(page, fajar).click({ modifiers: ['ControlOrMeta'] });
  await conversationRow(page, hadi).click({ modifiers: ['Shift'] });
  await expect(selectionBar(page)).toContainText('3 dipilih');
  await selectionBar(page).getByRole('button', { name: 'Ambil' }).click();
  await expect(toast(page, '2 percakapan diambil, 1 sedang ditangani Sari Wulandari (Gita)')).toBeVisible();
  await holdUndo(page);
  // The one that stayed as it was stays selected.
  await expect(selectionBar(page)).toContainText('1 dipilih');
  for (const user of [fajar, hadi]) await expect(conversationRow(page, user)).toContainText('Anda menangani');
  await expect(filter(page, 'Saya (2)')).toBeVisible();
  await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
  await expect(toast(page, 'Dikembalikan seperti semula')).toBeVisible();
  for (const user of [fajar, hadi]) await expect(conversationRow(page, user)).not.toContainText('Anda menangani');
  await expect(conversationRow(page, gita)).toContainText('Sari Wulandari menangani');
  await expect(conversationRow(colleaguePage, fajar)).not.toContainText('menangani');

  await page.keyboard.press('Escape');
  await expect(selectionBar(page)).toHaveCount(0);
  await filter(page, /^Belum dibalas/).check();
  await conversationRow(page, hadi).focus();
  await page.keyboard.press('x');
  await selectionBar(page).getByRole('button', { name: 'Tidak perlu dibalas' }).click();
  await holdUndo(page);
  await expect(conversationRow(page, hadi)).toHaveCount(0);
  await expect(filter(page, 'Belum dibalas (2)')).toBeVisible();
  await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
  await expect(conversationRow(page, hadi)).toBeVisible();
  await expect(filter(page, 'Belum dibalas (3)')).toBeVisible();
});

test('a snoozed conversation comes back when its user writes', async ({
  testServer,
  admin,
  registerUser,
  openInNewContext,
}) => {
  const user = await registerUser('Indah Sabar');
  await sendMessageByApi(testServer, user, admin, 'Nanti saja');
  const page = await openInNewContext(admin, '/admin/chat?show=waiting', { viewport: PHONE });
  await expect(conversationRow(page, user)).toBeVisible();
  const selectButton = conversationList(page).getByRole('button', { name: 'Pilih' });
  await selectButton.click();
  await expect(selectButton).toHaveAttribute('aria-pressed', 'true');
  await conversationRow(page, user).click();
  await expect(page.getByRole('heading', { name: user.name })).toHaveCount(0);
  await selectionBar(page).getByRole('button', { name: 'Tunda' }).click();
  await page.getByRole('menuitem', { name: 'Besok 08.00' }).click();
  await expect(page.getByText('Tidak ada yang menunggu. Bagus!')).toBeVisible();
  await filter(page, 'Ditunda (1)').check();
  await expect(conversationRow(page, user)).toContainText(/ditunda s\.d\. .*08\.00/);
  await sendMessageByApi(testServer, user, admin, 'Sekarang sudah ada');
  await expect(page.getByText('Tidak ada yang ditunda')).toBeVisible();
  await filter(page, 'Belum dibalas (1)').check();
  await expect(conversationRow(page, user)).toContainText('Sekarang sudah ada');
  await expect(conversationRow(page, user)).not.toContainText('ditunda');
});

test('shows nine conversations at once at 1440×900, each with name, e-mail and state, below one row of filters', async ({
  testServer,
  admin,
  createAdmin,
  registerUser,
  openInNewContext,
}) => {
  const colleague = await createAdmin('Sari Wulandari');
  for (let number = 1; number <= 11; number += 1) {
    const user = await registerUser(`Bambang Susilo Wijaya ${number}`);
    await sendMessageByApi(testServer, user, admin, 'Apakah pembayaran saya sudah diterima kantor?');
    if (number % 2 === 0)
      await callAs(testServer, colleague, 'POST', `/admin/conversations/${user.id}/claim`, { take: false });
    waitSince(testServer, user, number * 20);
  }
  const page = await openInNewContext(admin, '/admin/chat');
  await page.setViewportSize({ width: 1440, height: 900 });
  const list = conversationList(page);
  await expect(list.locator('[data-user-id]').nth(9)).toBeAttached();
  await expect(filter(page, /^Belum dibalas \(\d+\)/)).toBeVisible();
  // The elements that are wholly in view, inside the list and inside their own row.
  const seen = await list.locator('[data-user-id]').evaluateAll((rows) =>
    rows
      .filter((row) => {
        const view = row.closest('ul')?.parentElement?.getBoundingClientRect();
        const box = row.getBoundingClientRect();
        return view && box.top >= view.top - 1 && box.bottom <= view.bottom + 1 && box.bottom <= window.innerHeight;
      })
      .map((row) => {
        const box = row.getBoundingClientRect();
        const shown = [...row.querySelectorAll('span')]
          .filter((part) => part.children.length === 0 && part.checkVisibility())
          .filter((part) => {
            const { top, bottom, width } = part.getBoundingClientRect();
            return width >= 60 && top >= box.top - 1 && bottom <= box.bottom + 1;
          })
          .map(({ textContent }) => textContent ?? '');
        return {
          name: shown.some((text) => text.startsWith('Bambang')),
          email: shown.some((text) => text.includes('@contoh.id')),
          state: /menangani|menunggu/.test((row as HTMLElement).innerText),
        };
      }),
  );
  expect(seen.length).toBeGreaterThanOrEqual(9);
  for (const row of seen) expect(row).toEqual({ name: true, email: true, state: true });
  const chips = list.getByRole('radiogroup').locator('label');
  const places = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().top));
  expect(new Set(places).size, 'filters in one row').toBe(1);
});
