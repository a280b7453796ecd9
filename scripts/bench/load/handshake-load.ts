import { once } from 'node:events';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import type { LoadResult, TaskControl } from './load-process.ts';

const CONNECTIONS = 40;
/** Requests that one connection has under way. */
const PIPELINED = 16;
const HANDSHAKES_MAX = 600_000;
const RETRY_MS = 50;
const REQUEST = 'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n\r\n';
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;
const STATUS_LINE_BYTES = 13;

type Handshakes = { sent: number; outcomes: Record<string, number> };

function countOutcome({ outcomes }: Handshakes, outcome: string): void {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

/** One connection that opens a session with each request, and opens itself again when it is cut. */
function openSessions(url: string, handshakes: Handshakes): void {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let rest = '';
  const send = (count: number): void => {
    if (handshakes.sent >= HANDSHAKES_MAX) return;
    handshakes.sent += count;
    socket.write(REQUEST.repeat(count));
  };
  socket.setEncoding('latin1');
  socket.once('connect', () => send(PIPELINED));
  socket.on('data', (chunk: string) => {
    const text = rest + chunk;
    const answers = [...text.matchAll(STATUS_LINE)];
    for (const [, status = ''] of answers) countOutcome(handshakes, status);
    const last = answers.at(-1);
    const end = last ? last.index + last[0].length : 0;
    rest = text.slice(Math.max(end, text.length - STATUS_LINE_BYTES));
    if (answers.length > 0) send(answers.length);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    countOutcome(handshakes, 'cut');
    setTimeout(openSessions, RETRY_MS, url, handshakes);
  });
}

/** A stranger opens Engine.IO sessions and comes back for none of them, until the parent stops the load. */
export async function openHandshakes({ stopSignal, reportReady }: TaskControl, url: string): Promise<LoadResult> {
  setPriority(19);
  const from = performance.now();
  const handshakes: Handshakes = { sent: 0, outcomes: {} };
  for (let count = 0; count < CONNECTIONS; count += 1) openSessions(url, handshakes);
  reportReady();
  await once(stopSignal, 'abort');
  const { sent, outcomes } = handshakes;
  return { count: sent, times: [], seconds: (performance.now() - from) / 1000, outcomes };
}
