import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connectUsers, openChatClients } from './chat-clients.ts';
import type { LoadResult, LoadTarget, TaskControl } from './load-process.ts';
import { sendRequest, type HttpCall } from '../requests.ts';

const ARRIVAL_TIMEOUT_MS = 5000;

type LoopTask = { target: LoadTarget; warmUpMs: number; measureMs: number };

const contentOf = (index: number): string => `Selamat pagi, apakah PBB rumah saya tahun ini sudah tercatat? ${index}`;
const indexOf = (content: string): number => Number(content.slice(content.lastIndexOf(' ') + 1));

/** Each sender sends its next message when the answer to the last one has arrived; `times` are the answer times. */
export async function closedLoop(
  { reportReady }: TaskControl,
  { target, warmUpMs, measureMs }: LoopTask,
): Promise<LoadResult> {
  const clients = await openChatClients(target);
  const from = performance.now() + warmUpMs;
  const until = from + measureMs;
  const times: number[] = [];
  reportReady();
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
export async function openLoop(
  { reportReady }: TaskControl,
  { target, warmUpMs, measureMs, perSecond }: LoopTask & { perSecond: number },
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
  reportReady();
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
export async function idleSockets({ stopSignal, reportReady }: TaskControl, target: LoadTarget): Promise<LoadResult> {
  const from = performance.now();
  const sockets = await connectUsers(target.url, target.senders, ({ token }) =>
    target.kind === 'server' ? { token } : {},
  );
  reportReady();
  if (!stopSignal.aborted) await once(stopSignal, 'abort');
  const count = sockets.filter(({ connected }) => connected).length;
  for (const socket of sockets) socket.disconnect();
  return { count, times: [], seconds: (performance.now() - from) / 1000 };
}

/** Repeats the heavy reads of an admin and a user, one after the other, until the parent stops the load. */
export async function heavyReads(
  { stopSignal, reportReady }: TaskControl,
  { url, admin, senders }: LoadTarget,
): Promise<LoadResult> {
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
  reportReady();
  while (!stopSignal.aborted) {
    for (const call of calls) {
      const sentAt = performance.now();
      await sendRequest(url, call);
      times.push(performance.now() - sentAt);
    }
  }
  return { count: times.length, times, seconds: (performance.now() - from) / 1000 };
}
