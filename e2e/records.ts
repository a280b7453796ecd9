import type { Page } from '@playwright/test';
import { callAs, type Resident } from './fixtures.ts';
import type { Office } from './office.ts';

export type RecordRow = {
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

export type RecordFields = {
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

export const house: RecordFields = {
  name: 'Budi Santoso',
  address: 'Jalan Melati No. 12, Desa Sukamaju',
  spt_number: '33.74.010.001.002-0034.0',
  amount: 1_250_000,
  property_type: 'rumah_tinggal',
  status: 'belum_lunas',
  due_date: '2025-09-30',
};

export const shop: RecordFields = {
  name: 'Toko Sumber Rejeki',
  address: 'Jalan Pasar Baru No. 3, Desa Sukamaju',
  spt_number: '33.74.010.001.002-0077.0',
  amount: 3_400_000,
  property_type: 'toko',
  status: 'lunas',
  due_date: '2025-09-30',
  payment_date: '2025-08-14',
};

/** A record over REST, as the resident would have typed it; its year is 2025 (contract 4). */
export async function addRecord(
  office: Office,
  resident: Resident,
  fields: RecordFields = house,
): Promise<{ id: string }> {
  const { data } = await callAs<{ data: { id: string } }>(office, resident, 'POST', '/tax-records', fields);
  return { id: data.id };
}

/** Gives a record its proof; the answer is its signed address for this resident. */
export async function addProof(office: Office, resident: Resident, id: string, image: Buffer): Promise<string> {
  const form = new FormData();
  form.set('payment_proof', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'struk.png');
  const response = await fetch(`${office.url}/api/tax-records/${id}/payment-proof`, {
    method: 'POST',
    headers: { authorization: `Bearer ${resident.token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`proof: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { payment_proof: string } };
  return data.payment_proof;
}

/** A resident's rows as they are stored, oldest first. */
export function rowsOf(office: Office, resident: Resident): RecordRow[] {
  return office.withDatabase(
    (database) =>
      database
        .prepare('select * from tax_records where user_id = ? order by created_at, id')
        .all(resident.id) as RecordRow[],
  );
}

/** Moves a record to another year, or to another time of recording: what only the passing of time does otherwise. */
export function moveRecord(office: Office, id: string, to: { year?: number; createdAt?: string }): void {
  office.withDatabase((database) => {
    if (to.year !== undefined) database.prepare('update tax_records set year = ? where id = ?').run(to.year, id);
    if (to.createdAt !== undefined) {
      database.prepare('update tax_records set created_at = ? where id = ?').run(Date.parse(to.createdAt), id);
    }
  });
}

/** Fills in what a new record needs, by its labels. */
export async function fillRecord(page: Page, fields: RecordFields = house): Promise<void> {
  await page.getByRole('textbox', { name: 'Nama' }).fill(fields.name);
  await page.getByRole('textbox', { name: 'Alamat' }).fill(fields.address);
  await page.getByRole('textbox', { name: 'Nomor SPT' }).fill(fields.spt_number);
  await page.getByRole('textbox', { name: 'Jumlah' }).fill(String(fields.amount));
}

export const saveNew = (page: Page) => page.getByRole('button', { name: 'Simpan (Save)' });
export const saveEdit = (page: Page) => page.getByRole('button', { name: 'Simpan Perubahan (Save)' });
export const proofInput = (page: Page) => page.locator('input[type="file"]');
