import { once } from 'node:events';
import { connectResidents, openEnds } from './chat-ends.ts';
import type { Outcome, Report, Target, Task } from './chat-load-process.ts';
import { send, type Call } from './measure.ts';

/** The process that makes the load; it never outlives its parent, nor this. */
const LIVE_AT_MOST_MS = 180_000;
const ARRIVE_WITHIN_MS = 5000;

const told = new AbortController();
const { signal: over } = told;
const report = (what: Report): void => void process.send?.(what);
const contentOf = (index: number): string => `Selamat pagi, apakah PBB rumah saya tahun ini sudah tercatat? ${index}`;
const indexOf = (content: string): number => Number(content.slice(content.lastIndexOf(' ') + 1));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Every sender writes again as soon as the answer is there; `times` are those of the answers. */
async function closedLoop(target: Target, warmUpMs: number, measureMs: number): Promise<Outcome> {
  const ends = await openEnds(target);
  const from = performance.now() + warmUpMs;
  const until = from + measureMs;
  const times: number[] = [];
  report({ ready: true });
  const talk = async (sender: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const sentAt = performance.now();
      if (sentAt >= until) return;
      await ends.say(sender, contentOf(index));
      const answeredAt = performance.now();
      if (answeredAt >= from && answeredAt < until) times.push(answeredAt - sentAt);
    }
  };
  await Promise.all(target.senders.map((_, sender) => talk(sender)));
  ends.close();
  return { count: times.length, times, seconds: measureMs / 1000 };
}

/** So many messages a second whatever the server does; `times` go from sending to the office's screen. */
async function openLoop(target: Target, perSecond: number, warmUpMs: number, measureMs: number): Promise<Outcome> {
  const ends = await openEnds(target);
  const sentAt: number[] = [];
  const times: number[] = [];
  const first = Math.round((perSecond * warmUpMs) / 1000);
  const total = first + Math.round((perSecond * measureMs) / 1000);
  ends.onScreen((content) => {
    const index = indexOf(content);
    if (index >= first) times.push(performance.now() - (sentAt[index] ?? 0));
  });
  report({ ready: true });
  const answers: Promise<unknown>[] = [];
  const startedAt = performance.now();
  while (sentAt.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1);
    for (let index = sentAt.length; index < due; index += 1) {
      sentAt.push(performance.now());
      answers.push(ends.say(index % target.senders.length, contentOf(index)));
    }
    await pause(1);
  }
  await Promise.all(answers);
  const giveUpAt = performance.now() + ARRIVE_WITHIN_MS;
  while (times.length < total - first && performance.now() < giveUpAt) await pause(10);
  ends.close();
  return { count: total - first, times, seconds: measureMs / 1000 };
}

/** Sockets that say nothing until told to go. */
async function idleSockets(target: Target): Promise<Outcome> {
  const from = performance.now();
  const sockets = await connectResidents(target.url, target.senders, ({ token }) =>
    target.kind === 'ours' ? { token } : {},
  );
  report({ ready: true });
  if (!over.aborted) await once(over, 'abort');
  const count = sockets.filter(({ connected }) => connected).length;
  for (const socket of sockets) socket.disconnect();
  return { count, times: [], seconds: (performance.now() - from) / 1000 };
}

/** What a busy office and its residents read, one after the other without a pause, until told to stop. */
async function officeReads({ url, desk, senders }: Target): Promise<Outcome> {
  const read = (path: string, token = desk.token): Call => ({ method: 'GET', path: `/api${path}`, token });
  const calls: Call[] = [
    read('/admin/statistics'),
    read('/admin/tax-records?search=melati%2077'),
    read('/admin/tax-records'),
    read('/reports/summary?dateRange=this_year', senders[0]?.token),
    read('/admin/tax-records?limit=100&page=900&sort=-amount'),
    read('/reports/property?dateRange=this_year', senders[0]?.token),
    read('/admin/tax-records?search=warga&status=lunas'),
    read('/tax-records', senders[0]?.token),
    // A page of an export.
    read('/admin/tax-records?limit=1000&page=7'),
  ];
  const times: number[] = [];
  const from = performance.now();
  report({ ready: true });
  while (!over.aborted) {
    for (const call of calls) {
      const askedAt = performance.now();
      await send(url, call);
      times.push(performance.now() - askedAt);
    }
  }
  return { count: times.length, times, seconds: (performance.now() - from) / 1000 };
}

function run(task: Task): Promise<Outcome> {
  switch (task.name) {
    case 'closed-loop':
      return closedLoop(task.target, task.warmUpMs, task.measureMs);
    case 'open-loop':
      return openLoop(task.target, task.perSecond, task.warmUpMs, task.measureMs);
    case 'idle-sockets':
      return idleSockets(task.target);
    case 'office-reads':
      return officeReads(task.target);
  }
}

setTimeout(() => process.exit(1), LIVE_AT_MOST_MS).unref();
process.once('disconnect', () => process.exit(1));
process.on('message', (message: Task | 'end') => {
  if (message === 'end') return told.abort();
  run(message).then(
    (outcome) => process.send?.({ outcome } satisfies Report, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
});
