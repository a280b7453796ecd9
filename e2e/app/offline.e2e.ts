import { expect, test, SERVER_RESTART_ERRORS } from '../fixtures.ts';
import {
  launcher,
  messageTexts,
  PHONE,
  sendAsUser,
  storedMessageTexts,
  ticks,
  userMessageField,
} from '../chat-page.ts';
import { keptPaths, waitForWorker } from './worker.ts';

const QUESTION = 'Apakah kantor buka hari Sabtu?';

test.use({ viewport: PHONE });

test('the app starts beside a server that does not answer and without one, keeps what is typed, and sends it later', async ({
  page,
  registerUser,
  openAs,
  testServer,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(SERVER_RESTART_ERRORS);
  const user = await registerUser('Siti Rahmawati');
  const heading = page.getByRole('heading', { name: 'Selamat datang, Siti Rahmawati' });
  await openAs(page, user, '/dashboard');
  await waitForWorker(page);

  // The handbook is a page of the server, and never the kept one of the app.
  await page.goto('/panduan');
  await expect(page.getByRole('heading', { name: 'Panduan Operasional PBB Kita' })).toBeVisible();

  // A weak network: every request is accepted and none is answered.
  testServer.freeze(true);
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(heading).toBeVisible();
  await expect(launcher(page)).toBeVisible();
  testServer.freeze(false);

  await testServer.stop();
  try {
    await page.goto('/?buka=obrolan', { waitUntil: 'commit' });
    await expect(userMessageField(page)).toBeVisible();
    await sendAsUser(page, QUESTION);
    await expect(messageTexts(page)).toHaveText([QUESTION]);
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await expect(heading).toBeVisible();
    await expect(page.getByText('Tidak ada sambungan. Mencoba lagi…')).toBeVisible();
    await launcher(page).click();
    await expect(messageTexts(page)).toHaveText([QUESTION]);
  } finally {
    await testServer.start();
  }
  await expect(ticks(page, QUESTION)).toHaveAttribute('data-delivery', 'stored');
  expect(storedMessageTexts(testServer, user)).toEqual([QUESTION]);

  // Phones are shared: what is kept says nothing about anybody.
  const ownFiles = /^\/(assets\/|icons\/|index\.html$|boot\.js$|manifest\.webmanifest$)/;
  expect((await keptPaths(page)).filter((path) => !ownFiles.test(path))).toEqual([]);
});
