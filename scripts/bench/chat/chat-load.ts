import { once } from 'node:events';
import { connectUsers, openChatClients } from './chat-clients.ts';
import type { LoadResult, LoadReport, LoadTarget, LoadTask } from './chat-load-process.ts';
import { sendRequest, type HttpCall } from '../measure.ts';

/** This process makes the load. It exits with its parent, or after this time at the latest. */
const LIFETIME_MAX_MS = 180_000;
const ARRIVAL_TIMEOUT_MS = 5000;
/** A photo as our client shrinks it, and its small image. */
const PHOTO_BYTES = 400_000;
const THUMB_BYTES = 12_000;

const stopController = new AbortController();
const { signal: stopSignal } = stopController;
const sendReport = (message: LoadReport): void => void process.send?.(message);
const contentOf = (index: number): string => `Selamat pagi, apakah PBB rumah saya tahun ini sudah tercatat? ${index}`;
const indexOf = (content: string): number => Number(content.slice(content.lastIndexOf(' ') + 1));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Each sender sends its next message when the answer to the last one has arrived; `times` are the answer times. */
async function closedLoop(target: LoadTarget, warmUpMs: number, measureMs: number): Promise<LoadResult> {
  const clients = await openChatClients(target);
  const from = performance.now() + warmUpMs;
  const until = from + measureMs;
  const times: number[] = [];
  sendReport({ ready: true });
  const sendRepeatedly = async (sender: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const sentAt = performance.now();
      if (sentAt >= until) return;
      await clients.sendMessage(sender, contentOf(index));
      const answeredAt = performance.now();
      if (answeredAt >= from && answeredAt < until) times.push(answeredAt - sentAt);
    }
  };
  await Promise.all(target.senders.map((_, sender) => sendRepeatedly(sender)));
  clients.close();
  return { count: times.length, times, seconds: measureMs / 1000 };
}

/** Sends at a fixed rate, however fast the server is; `times` run from sending to the admin's socket. */
async function openLoop(
  target: LoadTarget,
  perSecond: number,
  warmUpMs: number,
  measureMs: number,
): Promise<LoadResult> {
  const clients = await openChatClients(target);
  const sentAt: number[] = [];
  const times: number[] = [];
  const warmUpCount = Math.round((perSecond * warmUpMs) / 1000);
  const total = warmUpCount + Math.round((perSecond * measureMs) / 1000);
  clients.onAdminMessage((content) => {
    const index = indexOf(content);
    if (index >= warmUpCount) times.push(performance.now() - (sentAt[index] ?? 0));
  });
  sendReport({ ready: true });
  const answers: Promise<unknown>[] = [];
  const startedAt = performance.now();
  while (sentAt.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1);
    for (let index = sentAt.length; index < due; index += 1) {
      sentAt.push(performance.now());
      answers.push(clients.sendMessage(index % target.senders.length, contentOf(index)));
    }
    await pause(1);
  }
  await Promise.all(answers);
  const giveUpAt = performance.now() + ARRIVAL_TIMEOUT_MS;
  while (times.length < total - warmUpCount && performance.now() < giveUpAt) await pause(10);
  clients.close();
  return { count: total - warmUpCount, times, seconds: measureMs / 1000 };
}

/** Opens sockets that send nothing and closes them when the parent stops the load. */
async function idleSockets(target: LoadTarget): Promise<LoadResult> {
  const from = performance.now();
  const sockets = await connectUsers(target.url, target.senders, ({ token }) =>
    target.kind === 'server' ? { token } : {},
  );
  sendReport({ ready: true });
  if (!stopSignal.aborted) await once(stopSignal, 'abort');
  const count = sockets.filter(({ connected }) => connected).length;
  for (const socket of sockets) socket.disconnect();
  return { count, times: [], seconds: (performance.now() - from) / 1000 };
}

/** Repeats the heavy reads of an admin and a user, one after the other, until the parent stops the load. */
async function heavyReads({ url, admin, senders }: LoadTarget): Promise<LoadResult> {
  const read = (path: string, token = admin.token): HttpCall => ({ method: 'GET', path: `/api${path}`, token });
  const calls: HttpCall[] = [
    read('/admin/statistics'),
    read('/admin/tax-records?search=melati%2077'),
    read('/admin/tax-records'),
    read('/reports/summary?dateRange=this_year', senders[0]?.token),
    read('/admin/tax-records?limit=100&page=900&sort=-amount'),
    read('/reports/property?dateRange=this_year', senders[0]?.token),
    read('/admin/tax-records?search=warga&status=lunas'),
    read('/tax-records', senders[0]?.token),
    // An export reads pages of this size.
    read('/admin/tax-records?limit=1000&page=7'),
  ];
  const times: number[] = [];
  const from = performance.now();
  sendReport({ ready: true });
  while (!stopSignal.aborted) {
    for (const call of calls) {
      const sentAt = performance.now();
      await sendRequest(url, call);
      times.push(performance.now() - sentAt);
    }
  }
  return { count: times.length, times, seconds: (performance.now() - from) / 1000 };
}

/** Uploads files for messages at a fixed rate and sends each, until the parent stops the load; `times` are those of the uploads. */
async function uploads({ kind, url, admin, senders }: LoadTarget, perSecond: number): Promise<LoadResult> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const photo = drawPhoto();
  async function uploadAndSend(index: number): Promise<void> {
    const token = senders[index % senders.length]?.token ?? '';
    const form = new FormData();
    form.append('file', new Blob([photo], { type: 'image/jpeg' }), `bukti ${index}.jpg`);
    form.append('thumb', new Blob([drawPhoto(THUMB_BYTES)], { type: 'image/jpeg' }), 'kecil.jpg');
    const sentAt = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/api/messages/attachments`, { method: 'POST', headers, body: form });
    if (response.status !== 201) throw new Error(`upload: ${response.status} ${await response.text()}`);
    times.push(performance.now() - sentAt);
    const { data } = (await response.json()) as { data: { id: string } };
    if (kind !== 'server') return;
    const body = { to_user_id: admin.id, content: `Foto: bukti ${index}.jpg`, attachment_ids: [data.id] };
    await sendRequest(url, { method: 'POST', path: '/api/messages/send', token, body });
  }
  const from = performance.now();
  sendReport({ ready: true });
  for (let index = 0; !stopSignal.aborted; index += 1) {
    pending.push(uploadAndSend(index));
    await pause(Math.max(1, from + ((index + 1) * 1000) / perSecond - performance.now()));
  }
  await Promise.all(pending);
  return { count: pending.length, times, seconds: (performance.now() - from) / 1000 };
}

/** Bytes of this size that the server accepts as a JPEG. They are never decoded. */
function drawPhoto(bytes = PHOTO_BYTES): Uint8Array<ArrayBuffer> {
  const head = Buffer.from('ffd8ffc0000b080640064001011100ffda0008010100003f00', 'hex');
  const photo = new Uint8Array(bytes);
  photo.set(head);
  // Random data without a 0xff, which would be a marker.
  for (let at = head.length; at < bytes - 2; at += 1) photo[at] = Math.floor(Math.random() * 255);
  photo.set([0xff, 0xd9], bytes - 2);
  return photo;
}

function run(task: LoadTask): Promise<LoadResult> {
  switch (task.name) {
    case 'closed-loop':
      return closedLoop(task.target, task.warmUpMs, task.measureMs);
    case 'open-loop':
      return openLoop(task.target, task.perSecond, task.warmUpMs, task.measureMs);
    case 'idle-sockets':
      return idleSockets(task.target);
    case 'heavy-reads':
      return heavyReads(task.target);
    case 'uploads':
      return uploads(task.target, task.perSecond);
  }
}

setTimeout(() => process.exit(1), LIFETIME_MAX_MS).unref();
process.once('disconnect', () => process.exit(1));
process.on('message', (message: LoadTask | 'stop') => {
  if (message === 'stop') return stopController.abort();
  run(message).then(
    (outcome) => process.send?.({ outcome } satisfies LoadReport, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
});
