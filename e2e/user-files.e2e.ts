import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { readXlsx } from 'hucre/xlsx';
import { callAs, expect, test, type TestUser } from './fixtures.ts';
import { dottedNop, nopOf } from './list-files.ts';
import { applyList } from './office-list.ts';
import type { TestServer } from './test-server.ts';

/*
 * A user's files and prints hold nothing of the office's list but the own objects (R-DHKP-36). The browser makes them from answers,
 * which server/features/dhkp/leaks.test.ts reads; this reads what it makes. Users have no more of them: photos and documents of
 * their own conversation are files of that conversation, and transcripts, lists of records, the list and backups are for admins.
 */

// Named here and not imported: the reader belongs to the client's own project of the type checker.
const pdfReader = '#client/exports/testing/pdf-text.ts';
type PdfReader = { readPdfPages: (file: Blob) => Promise<string[]> };

/** Occurs in the list alone. */
const FOREIGN_AMOUNT = 7_654_321;

type Listed = { id: string; nop: string; updated_at: string };
/** A year without the lists of other tests, and objects without their links. */
type Place = { year: number; number: number };

/** The office imports, writes notes, links and answers; the user has records that name the objects of others. */
async function fillOffice(
  testServer: TestServer,
  { admin, user, neighbour }: Record<'admin' | 'user' | 'neighbour', TestUser>,
  { year, number }: Place,
) {
  const [own, ofNeighbour, unlinked] = [nopOf(number), nopOf(number + 1), nopOf(number + 2)];
  const word = (kind: string): string => `${kind}-${randomUUID().slice(0, 13)}`;
  const markers = {
    note: word('catatan'),
    neighbour: word('tetangga'),
    unlinked: word('tanpa-akun'),
    claim: word('permintaan'),
  };
  const call = async <T>(who: TestUser, method: string, path: string, body?: unknown): Promise<T> =>
    (await callAs<{ data: T }>(testServer, who, method, path, body)).data;
  const lines = [
    [own, 'Siti Aminah', 'Jl. Melati 1', 52_000],
    [ofNeighbour, markers.neighbour, markers.neighbour, FOREIGN_AMOUNT],
    [unlinked, markers.unlinked, markers.unlinked, FOREIGN_AMOUNT],
  ];
  const text = [['NOP', 'NAMA WP', 'ALAMAT OP', 'KETETAPAN'], ...lines].map((cells) => cells.join('\t')).join('\n');
  await applyList(testServer, admin, year, text);
  const { data: listed } = await call<{ data: Listed[] }>(admin, 'GET', `/admin/dhkp?year=${year}`);
  const linkTo = async (nop: string, owner: TestUser): Promise<void> => {
    const id = listed.find((one) => one.nop === nop)?.id;
    await call(admin, 'POST', `/admin/dhkp/${id}/link`, { user_id: owner.id });
  };
  for (const { id, updated_at } of listed)
    await call(admin, 'PUT', `/admin/dhkp/${id}`, { note: markers.note, updated_at });
  await linkTo(own, user);
  await linkTo(ofNeighbour, neighbour);
  for (const nop of [ofNeighbour, unlinked]) {
    await call(user, 'POST', '/tax-records', { name: 'Siti', address: 'Jl. Melati 2', spt_number: nop, amount: 100 });
  }
  await call(neighbour, 'POST', '/tax-records/claims', { nop: unlinked, note: markers.claim });
  const { data: claims } = await call<{ data: { id: string }[] }>(admin, 'GET', '/admin/claims?state=open');
  for (const { id } of claims) await call(admin, 'POST', `/admin/claims/${id}/reject`, { reason: markers.claim });
  const { data: records } = await call<{ data: { id: string }[] }>(user, 'GET', '/tax-records');
  const found = (content: string): string[] =>
    [...Object.values(markers), String(FOREIGN_AMOUNT), '7.654.321'].filter((marker) => content.includes(marker));
  return { markers, found, records };
}

/** Presses a button that makes a file. @returns the texts of the file */
async function readFileOf(page: Page, press: () => Promise<void>): Promise<string> {
  const downloaded = page.waitForEvent('download');
  await press();
  const file = await downloaded;
  const bytes = readFileSync(await file.path());
  if (file.suggestedFilename().endsWith('.xlsx')) return JSON.stringify(await readXlsx(bytes));
  const { readPdfPages } = (await import(pdfReader)) as PdfReader;
  return (await readPdfPages(new Blob([bytes]))).join('\n');
}

/** The page as it is printed, with what is only on the screen. */
async function readPrintOf(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.print-only').filter({ visible: true }).first()).toBeVisible();
  const text = await page.content();
  await page.emulateMedia({ media: 'screen' });
  return text;
}

test('no report of a user tells anything of notes, of requests of others and of their objects', async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const [user, neighbour] = [await registerUser('Siti Aminah'), await registerUser('Wati')];
  const place = { year: 2022, number: 301 };
  const { markers, found } = await fillOffice(testServer, { admin, user, neighbour }, place);
  const press = (name: string) => () => page.getByRole('button', { name }).click();
  const made: string[] = [];
  await openAs(page, user, '/reports');
  await expect(page.getByText('Total Catatan')).toBeVisible();
  made.push(await readFileOf(page, press('Export Excel')), await readPrintOf(page));
  await page.getByRole('tab', { name: 'Jenis Properti' }).click();
  await expect(page.getByRole('row', { name: /^Total/ })).toBeVisible();
  made.push(await readFileOf(page, press('Export PDF')), await readPrintOf(page));
  for (const text of made) {
    expect(text).toContain('Siti Aminah');
    expect(found(text)).toEqual([]);
  }

  // An admin's file of the list has all of it, so the search can find something.
  await openAs(page, admin, `/admin/dhkp?tahun=${place.year}`);
  await page.getByRole('button', { name: /^Export atau print/ }).click();
  const ofAdmin = await readFileOf(page, () => page.getByRole('menuitem', { name: /Excel/ }).click());
  expect(found(ofAdmin)).toEqual([markers.note, markers.neighbour, markers.unlinked, String(FOREIGN_AMOUNT)]);
});

test("no print of a user's records tells anything of them", async ({
  page,
  testServer,
  admin,
  registerUser,
  openAs,
}) => {
  const [user, neighbour] = [await registerUser('Siti Aminah'), await registerUser('Wati')];
  const place = { year: 2021, number: 311 };
  const { found, records } = await fillOffice(testServer, { admin, user, neighbour }, place);
  await openAs(page, user, '/tax-records');
  await expect(page.getByText(dottedNop(nopOf(place.number))).first()).toBeVisible();
  const list = await readPrintOf(page);
  expect(list).toContain('52.000');
  expect(found(list)).toEqual([]);
  expect(records).toHaveLength(3);
  for (const { id } of records) {
    await page.goto(`/tax-records/${id}`);
    await expect(page.getByRole('button', { name: 'Print Nota' })).toBeVisible();
    const receipt = await readPrintOf(page);
    expect(receipt).toContain('NOTA PBB');
    expect(found(receipt)).toEqual([]);
  }
});
