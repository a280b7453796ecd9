import { createHash, randomBytes } from 'node:crypto';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import { buildPng } from '../../../e2e/images.ts';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { BenchUser } from '../seed-data.ts';
import { callApi, type ApiCall } from './api-call.ts';
import { countOutcome, type FileMessage, type Ledger } from './ledger.ts';
import type { LoadClock } from './load-clock.ts';

const FILES_MAX = 2;
const CLEAR_SHARE = 0.4;
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 300;
/** Files of 1 to 60 kB, so that the deletions keep the users within their quota. */
const IMAGE_SIDE = { min: 20, max: 140 };
const DOCUMENT_BYTES = { min: 1000, max: 60_000 };

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** No two files are equal, so each is known by its hash. */
function drawFile(random: SeededRandom): { bytes: Uint8Array<ArrayBuffer>; type: string; name: string } {
  if (random.withProbability(0.5)) {
    const side = random.integer(IMAGE_SIDE.min, IMAGE_SIDE.max);
    return { bytes: new Uint8Array(buildPng(side, side, 'noise')), type: 'image/png', name: 'foto.png' };
  }
  const rest = randomBytes(random.integer(DOCUMENT_BYTES.min, DOCUMENT_BYTES.max));
  return {
    bytes: new Uint8Array(Buffer.concat([Buffer.from('%PDF-1.4\n'), rest])),
    type: 'application/pdf',
    name: 'surat.pdf',
  };
}

/**
 * One conversation whose messages carry files, written by both sides in turn. Now and then its history is deleted
 * ('Hapus riwayat'), one call after the other, until the load ends.
 */
export async function runFileWriter(
  ledger: Ledger,
  clock: LoadClock,
  random: SeededRandom,
  { url, user, admin, meanPauseMs }: { url: string; user: BenchUser; admin: BenchUser; meanPauseMs: number },
): Promise<void> {
  let sent = 0;
  let kept: FileMessage[] = [];

  /** Repeats a call until it is acknowledged. @returns its answer; null when the load has given up */
  async function callUntilAcknowledged(name: string, call: ApiCall): Promise<unknown> {
    while (!clock.hasGivenUp()) {
      const result = await callApi(url, call);
      countOutcome(ledger, name, result);
      if (result.status === 200 || result.status === 201) return result.body;
      await clock.pauseBetween(RETRY_MIN_MS, RETRY_MAX_MS);
    }
    return null;
  }

  /** @returns null when the load has given up */
  async function upload(clientId: string, token: string): Promise<{ id: string; name: string; hash: string } | null> {
    const { bytes, type, name } = drawFile(random);
    const body = new FormData();
    body.append('client_id', clientId);
    body.append('file', new Blob([bytes], { type }), name);
    const answer = await callUntilAcknowledged('attach', {
      method: 'POST',
      path: '/api/messages/attachments',
      token,
      body,
    });
    if (answer === null) return null;
    const { id, url: link } = (answer as { data: Attachment }).data;
    return { id, name: link.replace(/^\/uploads\/|\?.*$/g, ''), hash: sha256(bytes) };
  }

  async function send(): Promise<void> {
    sent += 1;
    const [sender, receiver] = random.withProbability(0.5) ? [user, admin] : [admin, user];
    const clientId = `f${user.id.slice(-6)}-${sent}`;
    const message: FileMessage = {
      clientId,
      senderId: sender.id,
      content: '',
      files: [],
      acknowledgedId: null,
      acknowledgedAtMs: null,
      state: 'open',
      clearedAtMs: null,
    };
    const count = random.integer(1, FILES_MAX);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const uploaded = await upload(`${clientId}-${index}`, sender.token);
      if (uploaded === null) return;
      const { id, ...file } = uploaded;
      ids.push(id);
      message.files.push(file);
    }
    ledger.fileMessages.push(message);
    const body = { to_user_id: receiver.id, content: `${clientId} berkas`, client_id: clientId, attachment_ids: ids };
    const path = '/api/messages/send';
    const answer = await callUntilAcknowledged('send files', { method: 'POST', path, token: sender.token, body });
    if (answer === null) return;
    // The server adds the names of the files to the text.
    const { id, content } = (answer as { data: Message }).data;
    Object.assign(message, { acknowledgedId: id, acknowledgedAtMs: Date.now(), content, state: 'kept' });
    kept.push(message);
  }

  async function clear(): Promise<void> {
    for (const message of kept) message.state = 'open';
    const path = `/api/messages/conversation/${user.id}`;
    const answer = await callUntilAcknowledged('clear', { method: 'DELETE', path, token: admin.token });
    if (answer === null) return;
    ledger.clears += 1;
    for (const message of kept) Object.assign(message, { state: 'cleared', clearedAtMs: Date.now() });
    kept = [];
  }

  for (;;) {
    await clock.pauseBetween(meanPauseMs / 2, (meanPauseMs * 3) / 2);
    if (clock.isOver()) return;
    await (kept.length > 0 && random.withProbability(CLEAR_SHARE) ? clear() : send());
  }
}
