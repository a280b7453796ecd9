import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzip } from '#server/testing/unzip.ts';
import { expectAccessible, expectNoOverflow } from './accessibility.ts';
import { addMessages } from './chat-data.ts';
import { expect, test } from './fixtures.ts';
import { buildPng } from './images.ts';
import { addProof, addRecord, homeRecord } from './records.ts';

test('a copy of the own data is made, announced, downloaded, and opens from a folder', async ({
  page,
  testServer,
  user,
  openAs,
}) => {
  const { id } = await addRecord(testServer, user, homeRecord);
  await addProof(testServer, user, id, buildPng(300, 200));
  addMessages(testServer, user, 40);
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, user, '/account');
  const section = page.getByRole('form', { name: 'Salinan data saya' });
  await section.getByLabel(/^Password Anda/).fill(user.password);
  await section.getByRole('button', { name: 'Buat salinan' }).click();
  await expect(page.getByText('Salinan data Anda siap. Unduh di Akun Saya.')).toBeVisible();
  await expect(page.getByText(/^Salinan Anda siap \(/)).toBeVisible();
  await expectAccessible(page, 'account with a copy');
  await expectNoOverflow(page, 'account with a copy');

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Unduh' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^data-saya-\d{4}-\d{2}-\d{2}\.zip$/);
  const files = unzip(readFileSync(await download.path()));
  const data = JSON.parse(files.get('data.json')?.toString() ?? '') as Record<string, unknown>;
  expect(data['account']).toMatchObject({ name: user.name, email: user.email });
  expect(data['consents']).toHaveLength(2);
  expect(data['records']).toMatchObject([{ id, payment_proof: expect.stringMatching(/^bukti-pembayaran\//) }]);
  expect(data['messages']).toHaveLength(40);

  const folder = mkdtempSync(join(tmpdir(), 'pbb-own-data-'));
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  await page.goto(pathToFileURL(join(folder, 'percakapan.html')).href);
  await expect(page.getByRole('heading', { name: 'Percakapan dengan kantor' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(40);
  await expectNoOverflow(page, 'the transcript');
  rmSync(folder, { recursive: true });
});
