import { createHash } from 'node:crypto';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { Page } from '#shared/api/envelope.ts';
import { buildPng } from '../../../e2e/images.ts';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { BenchUser } from '../seed-data.ts';
import { callApi, fetchBytes, type CallResult } from './api-call.ts';
import { countOutcome, type Ledger, type ProofState, type SentRecord } from './ledger.ts';
import type { LoadClock } from './load-clock.ts';

const RECORDS_MIN = 2;
const RECORDS_MAX = 6;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 400;
/** Sides of the images: files of 10 kB to 0.8 MB, so that a kill also hits uploads under way. */
const IMAGE_SIDE = { min: 60, max: 520 };

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Neither done for certain nor refused for certain: no answer, or an error inside the server. */
const isOpen = ({ status }: CallResult): boolean => status === 0 || status >= 500;

type ProofUpload = { form: FormData; hash: string };

function drawUpload(random: SeededRandom, fields: Record<string, string>): ProofUpload {
  const side = random.integer(IMAGE_SIDE.min, IMAGE_SIDE.max);
  const image = buildPng(side, side, 'noise');
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('payment_proof', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'bukti.png');
  return { form, hash: sha256(image) };
}

/** @returns the stored state of a record, or the outcome of the call that failed */
export async function readProofState(
  url: string,
  { token, sptNumber }: SentRecord,
): Promise<{ state: ProofState; id: string | null } | { failed: CallResult }> {
  const result = await callApi(url, { method: 'GET', path: '/api/tax-records', token });
  if (result.status !== 200) return { failed: result };
  const { data } = (result.body as { data: Page<TaxRecord> }).data;
  const found = data.find(({ spt_number }) => spt_number === sptNumber);
  if (!found) return { state: 'absent', id: null };
  if (found.payment_proof === null) return { state: 'no proof', id: found.id };
  const { bytes, kind } = await fetchBytes(url + found.payment_proof);
  if (bytes === null && !kind.startsWith('status 4')) return { failed: { status: 0, kind, body: null } };
  return { state: bytes === null ? `proof not served: ${kind}` : sha256(bytes), id: found.id };
}

/** One user's records: created, given another proof and deleted, one call after the other, until the load ends. */
export async function runRecordWriter(
  ledger: Ledger,
  clock: LoadClock,
  random: SeededRandom,
  { url, user, meanPauseMs }: { url: string; user: BenchUser; meanPauseMs: number },
): Promise<void> {
  const own: SentRecord[] = [];
  let created = 0;

  async function call(name: string, method: 'POST' | 'DELETE', path: string, form?: FormData): Promise<CallResult> {
    const result = await callApi(url, { method, path, token: user.token, ...(form ? { body: form } : {}) });
    countOutcome(ledger, name, result);
    return result;
  }

  /** After an open call: waits for the server and looks which of the two states it kept. */
  async function settle(record: SentRecord): Promise<void> {
    while (!clock.hasGivenUp()) {
      const found = await readProofState(url, record);
      if ('failed' in found) {
        await clock.pauseBetween(RETRY_MIN_MS, RETRY_MAX_MS);
        continue;
      }
      if (!record.possible.includes(found.state)) {
        ledger.violations.push(`record ${record.sptNumber}: is "${found.state}", not ${record.possible.join(' or ')}`);
      }
      record.possible = [found.state];
      record.id = found.id;
      return;
    }
  }

  async function change(record: SentRecord, next: ProofState, send: () => Promise<CallResult>): Promise<void> {
    const result = await send();
    if (isOpen(result)) {
      record.possible.push(next);
      await settle(record);
    } else if (result.status < 300) {
      record.possible = [next];
      record.id ??= (result.body as { data: TaxRecord }).data.id;
    }
    if (record.possible[0] === 'absent') own.splice(own.indexOf(record), 1);
  }

  async function create(): Promise<void> {
    created += 1;
    const sptNumber = `SPT-${user.id.slice(-6)}-${created}`;
    const fields = { name: 'Budi Santoso', address: 'Jl. Melati 1', spt_number: sptNumber, amount: '1250000' };
    const { form, hash } = drawUpload(random, fields);
    const record: SentRecord = { userId: user.id, token: user.token, sptNumber, id: null, possible: ['absent'] };
    ledger.records.push(record);
    own.push(record);
    await change(record, hash, () => call('create', 'POST', '/api/tax-records', form));
  }

  function replaceProof(record: SentRecord): Promise<void> {
    const { form, hash } = drawUpload(random, {});
    return change(record, hash, () => call('replace', 'POST', `/api/tax-records/${record.id}/payment-proof`, form));
  }

  const remove = (record: SentRecord): Promise<void> =>
    change(record, 'absent', () => call('remove', 'DELETE', `/api/tax-records/${record.id}`));

  for (;;) {
    await clock.pauseBetween(meanPauseMs / 2, (meanPauseMs * 3) / 2);
    if (clock.isOver()) return;
    if (own.length < RECORDS_MIN || (own.length < RECORDS_MAX && random.withProbability(0.4))) await create();
    else await (random.withProbability(0.6) ? replaceProof : remove)(random.pick(own));
  }
}
