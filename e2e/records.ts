import type { Page } from '@playwright/test';
import { callAs, test as base, type TestUser } from './fixtures.ts';
import type { TestServer } from './test-server.ts';

export type StoredRecord = {
  id: string;
  name: string;
  spt_number: string;
  year: number;
  amount_sen: number;
  status: string;
  due_date: string | null;
  payment_date: string | null;
  description: string | null;
  notes: string | null;
  proof_file: string | null;
  created_at: number;
};

export type RecordInput = {
  name: string;
  address: string;
  spt_number: string;
  amount: number;
  property_type?: string;
  status?: string;
  due_date?: string;
  payment_date?: string;
  description?: string;
  notes?: string;
};

export const homeRecord: RecordInput = {
  name: 'Budi Santoso',
  address: 'Jalan Melati No. 12, Desa Sukamaju',
  spt_number: '33.74.010.001.002-0034.0',
  amount: 1_250_000,
  property_type: 'rumah_tinggal',
  status: 'belum_lunas',
  due_date: '2025-09-30',
};

export const shopRecord: RecordInput = {
  name: 'Toko Sumber Rejeki',
  address: 'Jalan Pasar Baru No. 3, Desa Sukamaju',
  spt_number: '33.74.010.001.002-0077.0',
  amount: 3_400_000,
  property_type: 'toko',
  status: 'lunas',
  due_date: '2025-09-30',
  payment_date: '2025-08-14',
};

/** Creates a record over REST, as a user types it; its year is 2025. */
export async function addRecord(
  testServer: TestServer,
  user: TestUser,
  fields: RecordInput = homeRecord,
): Promise<{ id: string }> {
  const { data } = await callAs<{ data: { id: string } }>(testServer, user, 'POST', '/tax-records', fields);
  return { id: data.id };
}

type RecordFixtures = {
  /** Registers a user and creates these records, one after the other. @returns the ids in the same order */
  registerUserWith: (records: readonly RecordInput[], name?: string) => Promise<{ user: TestUser; ids: string[] }>;
};

export const test = base.extend<RecordFixtures>({
  registerUserWith: async ({ testServer, registerUser }, use) => {
    await use(async (records, name) => {
      const user = await registerUser(name);
      const ids: string[] = [];
      for (const fields of records) ids.push((await addRecord(testServer, user, fields)).id);
      return { user, ids };
    });
  },
});

/** Uploads the proof of a record. @returns its signed URL for this user */
export async function addProof(testServer: TestServer, user: TestUser, id: string, image: Buffer): Promise<string> {
  const form = new FormData();
  form.set('payment_proof', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'struk.png');
  const response = await fetch(`${testServer.url}/api/tax-records/${id}/payment-proof`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`proof: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { payment_proof: string } };
  return data.payment_proof;
}

/** The stored records of a user, oldest first. */
export function readStoredRecords(testServer: TestServer, user: TestUser): StoredRecord[] {
  return testServer.withDatabase(
    (database) =>
      database
        .prepare('select * from tax_records where user_id = ? order by created_at, id')
        .all(user.id) as StoredRecord[],
  );
}

/** Moves a record to another year, or to another time of recording: what only the passing of time does otherwise. */
export function changeStoredRecord(
  testServer: TestServer,
  id: string,
  changes: { year?: number; createdAt?: string },
): void {
  testServer.withDatabase((database) => {
    if (changes.year !== undefined)
      database.prepare('update tax_records set year = ? where id = ?').run(changes.year, id);
    if (changes.createdAt !== undefined) {
      database.prepare('update tax_records set created_at = ? where id = ?').run(Date.parse(changes.createdAt), id);
    }
  });
}

/** Presses 'Hapus' in the menu of a row of the own list. @param name how the record's label begins */
export async function pressOwnDelete(page: Page, name = ''): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Aksi lain \\(More\\) ${name}`) }).click();
  await page.getByRole('menuitem', { name: /^Hapus \(Delete\)/ }).click();
}

/** Fills in what a new record needs, by its labels. */
export async function fillRecordForm(page: Page, fields: RecordInput = homeRecord): Promise<void> {
  await page.getByRole('textbox', { name: 'Nama' }).fill(fields.name);
  await page.getByRole('textbox', { name: 'Alamat' }).fill(fields.address);
  await page.getByRole('textbox', { name: 'Nomor SPT' }).fill(fields.spt_number);
  await page.getByRole('textbox', { name: 'Jumlah' }).fill(String(fields.amount));
}

/** Opens the description and the notes of a record's form, which are folded while they are empty. */
export const openNotes = (page: Page) => page.getByRole('button', { name: 'Tambah catatan' }).click();
export const saveNewButton = (page: Page) => page.getByRole('button', { name: 'Simpan (Save)' });
export const saveEditButton = (page: Page) => page.getByRole('button', { name: 'Simpan Perubahan (Save)' });
export const proofInput = (page: Page) => page.locator('input[type="file"]');
