import { setTimeout as wait } from 'node:timers/promises';
import { LIST_FILE_FIELD, type Batch } from '#shared/api/dhkp/batches.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { Area } from '#shared/api/areas.ts';
import type { AreaKind } from '#shared/domain/dhkp/area-names.ts';
import { call, type Office } from './server-calls.ts';
import { DUSUNS, RTS_PER_RW, RWS_PER_DUSUN } from './sample-list.ts';

/** Imports a list as an administrator does: by the calls of a running server. */

const POLL_EVERY_MS = 50;
const TIMEOUT_MS = 60_000;

async function addArea(office: Office, kind: AreaKind, name: string, parent_id: string | null): Promise<Area> {
  return call<Area>(office, '/admin/areas', { method: 'POST', body: { name, kind, parent_id } });
}

/** The areas that the columns of the list name. */
async function addAreas(office: Office): Promise<Area[]> {
  const dusuns: Area[] = [];
  for (const name of DUSUNS) {
    const dusun = await addArea(office, 'dusun', name, null);
    dusuns.push(dusun);
    for (let rw = 1; rw <= RWS_PER_DUSUN; rw += 1) {
      const { id } = await addArea(office, 'rw', `0${rw}`, dusun.id);
      for (let rt = 1; rt <= RTS_PER_RW; rt += 1) await addArea(office, 'rt', `0${rt}`, id);
    }
  }
  return dusuns;
}

async function waitForState(office: Office, id: string, state: Batch['state']): Promise<Batch> {
  const giveUpAt = performance.now() + TIMEOUT_MS;
  for (;;) {
    const batch = await call<Batch>(office, `/admin/dhkp/batches/${id}`);
    if (batch.state === state) return batch;
    if (batch.state === 'failed' || performance.now() > giveUpAt)
      throw new Error(`the sample list is ${batch.state}: ${batch.message ?? ''}`);
    await wait(POLL_EVERY_MS);
  }
}

/**
 * Makes the areas of the village and imports a list. Some objects get a collector, a day on which the SPPT was handed out, or a note.
 * @param collectorId an active account
 */
export async function importSampleList(
  office: Office,
  { bytes, fileName, year }: { bytes: Uint8Array; fileName: string; year: number },
  collectorId: string,
): Promise<Batch> {
  const [dusun] = await addAreas(office);
  const form = new FormData();
  form.append('year', String(year));
  form.append('client_id', crypto.randomUUID());
  form.append(LIST_FILE_FIELD, new Blob([new Uint8Array(bytes)]), fileName);
  const { id } = await call<Batch>(office, '/admin/dhkp/batches', { method: 'POST', body: form });
  const { preview_id } = await waitForState(office, id, 'ready');
  await call(office, `/admin/dhkp/batches/${id}/apply`, { method: 'POST', body: { preview_id } });
  const applied = await waitForState(office, id, 'applied');
  const set = { collector_id: collectorId, handed_out_on: `${year}-03-02`, handed_out_to: 'Ketua RT' };
  await call(office, '/admin/dhkp/bulk', { method: 'POST', body: { filter: { year, area_id: dusun?.id }, set } });
  const { data } = await call<{ data: Assessment[] }>(office, `/admin/dhkp?year=${year}&limit=3&sort=-nop`);
  const conditions = [
    { condition: 'not_found', note: 'Objek tidak ditemukan di lapangan' },
    { condition: 'wrong_name', note: 'Sudah dijual, nama belum diganti' },
    { condition: 'double', note: null },
  ];
  for (const [index, change] of conditions.entries()) {
    const { id: assessmentId, updated_at } = data[index] ?? {};
    await call(office, `/admin/dhkp/${assessmentId}`, { method: 'PUT', body: { ...change, updated_at } });
  }
  return applied;
}
