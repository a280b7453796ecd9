import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { holdUndo, openWidget, panel, sendAsUser, sendMessageByApi, test } from './chat-page.ts';
import { callAs, expect } from './fixtures.ts';

/** Open all day and every day, so that the hour of the test run does not matter. */
const ALWAYS = {
  days: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, open: '00:00', close: '23:59' })),
  holidays: [],
  closed_today: false,
};

/** Other tests find no hours, as before. */
test.afterEach(({ testServer }) => testServer.withDatabase((database) => database.exec('delete from office_hours')));

test('a resident sees the own place in the queue move when the office answers somebody else', async ({
  registerUser,
  admin,
  openInNewContext,
  testServer,
}) => {
  const [budi, siti, joko] = [await registerUser('Budi'), await registerUser('Siti'), await registerUser('Joko')];
  await sendMessageByApi(testServer, budi, admin, 'Saya pertama');
  await sendMessageByApi(testServer, siti, admin, 'Saya kedua');
  const page = await openInNewContext(joko, '/dashboard', { viewport: { width: 320, height: 700 } });
  await openWidget(page);
  const chat = panel(page);
  await expect(chat.getByText(/Kantor (buka|tutup)|Antrean/)).toHaveCount(0);
  await sendAsUser(page, 'Saya ketiga');
  await expect(chat.getByText('Antrean Anda: ke-3')).toBeVisible();
  await expectNoOverflow(page, 'chat at 320 px');
  await sendMessageByApi(testServer, admin, budi, 'Jawaban untuk Budi');
  await expect(chat.getByText('Antrean Anda: ke-2')).toBeVisible();
  await sendMessageByApi(testServer, admin, siti, 'Jawaban untuk Siti');
  await expect(chat.getByText('Antrean Anda: ke-1')).toBeVisible();
  await expectAccessible(page, 'chat with a place in the queue');
  await page.reload();
  await openWidget(page);
  await expect(chat.getByText('Antrean Anda: ke-1')).toBeVisible();
  await sendMessageByApi(testServer, admin, joko, 'Jawaban untuk Joko');
  await expect(chat.getByRole('log').getByText('Jawaban untuk Joko')).toBeVisible();
  await expect(chat.getByText(/Antrean/)).toHaveCount(0);
  // The text of the office is a notice and no message.
  await expect(chat.getByRole('log').getByText(/Antrean|Kantor/)).toHaveCount(0);
});

test('an open chat follows when an admin sets the hours and closes early', async ({
  registerUser,
  admin,
  openInNewContext,
  testServer,
}) => {
  const resident = await openInNewContext(await registerUser(), '/dashboard');
  await openWidget(resident);
  const page = await openInNewContext(admin, '/admin/settings');
  await page.getByRole('link', { name: /Jam Layanan/ }).click();
  await expect(page.getByText(/Jam layanan belum pernah disimpan/)).toBeVisible();
  for (const day of ['Senin', 'Selasa', 'Rabu', 'Kamis', 'Jumat', 'Sabtu', 'Minggu']) {
    await page.getByRole('switch', { name: `${day} buka` }).check({ force: true });
    await page.getByRole('textbox', { name: `${day}: jam buka` }).fill('0');
    await page.getByRole('textbox', { name: `${day}: jam tutup` }).fill('23.59');
  }
  await page.getByRole('button', { name: 'Simpan (Save)' }).click();
  await expect(page.getByText('Jam layanan berhasil disimpan')).toBeVisible();
  await expect(panel(resident).getByText('Kantor buka s.d. 23.59')).toBeVisible();

  await page.getByRole('button', { name: 'Tutup lebih awal hari ini' }).click();
  await holdUndo(page);
  await expect(
    panel(resident).getByText(/^Kantor tutup\. Buka .+ 00\.00\. Pesan Anda tetap tersimpan\.$/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Urungkan (Undo)' }).click();
  await expect(panel(resident).getByText('Kantor buka s.d. 23.59')).toBeVisible();
  await expectAccessible(page, 'opening hours');
  await page.goto('/admin/audit');
  await expect(page.getByRole('link', { name: 'jam layanan' }).first()).toBeVisible();
  expect((await callAs<{ data: unknown }>(testServer, admin, 'GET', '/admin/office-hours')).data).toEqual(ALWAYS);
});

test('the report on the chat shows who answered, and is exported', async ({
  registerUser,
  admin,
  openInNewContext,
  testServer,
}) => {
  const budi = await registerUser('Budi');
  await sendMessageByApi(testServer, budi, admin, 'Halo');
  await sendMessageByApi(testServer, admin, budi, 'Selamat pagi');
  const page = await openInNewContext(admin, '/admin/reports');
  await page.getByRole('link', { name: 'Layanan Chat' }).click();
  const admins = page.getByRole('table', { name: 'Per Admin' });
  await expect(admins.getByRole('row').nth(1)).toContainText(admin.name);
  await expect(page.getByRole('table', { name: 'Per Hari' }).getByRole('row').last()).toContainText('Seluruh periode');
  await expectAccessible(page, 'report on the chat');
  for (const [button, ending] of [
    ['Export Excel', 'xlsx'],
    ['Export PDF', 'pdf'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^layanan-chat_.*\\.${ending}$`));
  }

  // Only thousands of answers of hundreds of admins bring this about.
  await page.route('**/api/admin/chat-statistics*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    const data = { ...body.data, left_out: { admins: 594, admins_by_day: true } };
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  await page.reload();
  const note = page.getByRole('status').filter({ hasText: 'Periode ini terlalu besar' });
  await expect(note).toContainText('594 admin dengan balasan paling sedikit dan angka tiap admin per hari');
  await expectAccessible(page, 'report on a long period');
  await page.setViewportSize({ width: 320, height: 800 });
  await expect(note).toBeInViewport();
  await expectNoOverflow(page, 'report at 320 px');
});
