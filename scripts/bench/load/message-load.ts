import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchUser } from '../seed-data.ts';
import type { LoadResult, MessageTask, TaskControl } from './load-process.ts';
import { createRawSender, EVENT, openRawSocket } from './raw-socket.ts';

/** Only these admins read when a message came; the others count frames. */
const TIMED_ADMINS = 5;
const CONNECT_CONCURRENCY = 25;
const ARRIVAL_TIMEOUT_MS = 5000;
const QUESTION = 'Selamat pagi, apakah PBB rumah saya tahun ini sudah tercatat? #';
const MESSAGE_EVENT = `${EVENT}message:new`;
/** No other event begins with this letter. */
const MESSAGE_LETTER = MESSAGE_EVENT.charCodeAt(EVENT.length);

type Counter = { messages: number };

/** Counts the messages that were sent and those that came. */
function createTally() {
  const sentAt: number[] = [];
  const tally = { isMeasuring: false, events: 0, deliveryTimes: [] as number[] };
  const counters: Counter[] = [];

  /** @returns the reader of one socket's frames */
  function readerOf(kind: 'user' | 'admin', isTimed: boolean): (frame: Buffer) => void {
    const counter = { messages: 0 };
    if (kind === 'admin') counters.push(counter);
    return (frame) => {
      if (tally.isMeasuring) tally.events += 1;
      if (frame[EVENT.length] !== MESSAGE_LETTER) return;
      counter.messages += 1;
      if (!isTimed) return;
      const at = frame.indexOf('#') + 1;
      const index = Number(frame.toString('latin1', at, frame.indexOf('"', at)));
      if (tally.isMeasuring) tally.deliveryTimes.push(performance.now() - (sentAt[index] ?? NaN));
    };
  }
  return {
    tally,
    readerOf,
    nextContent: (): string => `${QUESTION}${sentAt.push(performance.now()) - 1}`,
    /** Admins who have not received every message that was sent. */
    countBehind: (): number => counters.filter(({ messages }) => messages < sentAt.length).length,
    sentAt,
  };
}

async function openSockets(
  { url, senders, admins }: MessageTask,
  readerOf: ReturnType<typeof createTally>['readerOf'],
): Promise<Socket[]> {
  // As the product's own pages do (R-EVENT-11).
  const open = (token: string, onText: (frame: Buffer) => void): Promise<Socket> =>
    openRawSocket(url, { auth: { token, unread_changes: true }, onText });
  const opens = [
    ...senders.map(
      ({ token }) =>
        () =>
          open(token, readerOf('user', false)),
    ),
    ...admins.map(
      ({ token }, index) =>
        () =>
          open(token, readerOf('admin', index < TIMED_ADMINS)),
    ),
  ];
  const sockets: Socket[] = [];
  for (let from = 0; from < opens.length; from += CONNECT_CONCURRENCY) {
    sockets.push(...(await Promise.all(opens.slice(from, from + CONNECT_CONCURRENCY).map((openNext) => openNext()))));
  }
  return sockets;
}

/** Sends messages to connected admins. @throws when one of them did not get every message */
export async function sendMessages({ reportReady }: TaskControl, task: MessageTask): Promise<LoadResult> {
  const { url, senders, admins, perSecond, warmUpMs, measureMs } = task;
  const { tally, readerOf, nextContent, countBehind, sentAt } = createTally();
  const sockets = await openSockets(task, readerOf);
  const sender = createRawSender(url, '/api/messages/send');
  const receiver = admins[0]?.id;
  const times: number[] = [];
  const send = async ({ token }: BenchUser): Promise<void> => {
    const content = nextContent();
    const from = performance.now();
    const body = { to_user_id: receiver, content, client_id: crypto.randomUUID() };
    const status = await sender.send(token, body);
    if (status !== 201) throw new Error(`a message was answered with ${status}`);
    if (tally.isMeasuring) times.push(performance.now() - from);
  };
  reportReady();
  const startedAt = performance.now();
  const endsAt = startedAt + warmUpMs + measureMs;
  setTimeout(() => (tally.isMeasuring = true), warmUpMs);
  if (perSecond === null) {
    const repeat = async (user: BenchUser): Promise<void> => {
      while (performance.now() < endsAt) await send(user);
    };
    await Promise.all(senders.map(repeat));
  } else {
    const answers: Promise<void>[] = [];
    while (performance.now() < endsAt) {
      const due = ((performance.now() - startedAt) * perSecond) / 1000;
      while (sentAt.length < due) {
        const user = senders[sentAt.length % senders.length];
        if (user) answers.push(send(user));
      }
      await pause(1);
    }
    await Promise.all(answers);
  }
  tally.isMeasuring = false;
  const giveUpAt = performance.now() + ARRIVAL_TIMEOUT_MS;
  while (countBehind() > 0 && performance.now() < giveUpAt) await pause(10);
  const behind = countBehind();
  sender.close();
  for (const socket of sockets) socket.destroy();
  if (behind > 0) throw new Error(`${behind} of ${admins.length} admins did not get every message`);
  const { deliveryTimes, events } = tally;
  return { count: times.length, times, seconds: measureMs / 1000, deliveryTimes, events };
}
