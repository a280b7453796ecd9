import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runBackup } from '#server/operations/backups/backup-job.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { type HttpCall, sendRequest } from '../requests.ts';
import { percentiles, type Result } from '../results.ts';
import type { MeasuredServer } from '../server-process.ts';

/** The normal work of two hours between two archives. */
const MESSAGES_BETWEEN = 1000;
const MESSAGES_A_LOOK = 10;
const LOOK_EVERY_MS = 100;

/** @returns the bytes that a folder takes on the disk; a file with several names counts once, with the first folder */
function measureNewBytes(folder: string, known: Set<number>): number {
  let bytes = 0;
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { ino, size } = statSync(join(parentPath, name));
    if (!known.has(ino)) bytes += size;
    known.add(ino);
  }
  return bytes;
}

/**
 * Measures the first archive of a data folder, and a second one after a thousand messages, made as a server makes it, and how
 * long messages take beside it.
 * @param nextMessage a call that sends a message, by another user each time
 * @param token of an admin, whose manual archive the server makes
 */
export async function measureArchives(
  dataDir: string,
  server: MeasuredServer,
  nextMessage: () => HttpCall,
  token: string,
): Promise<Result[]> {
  const paths = dataPathsIn(dataDir);
  const known = new Set<number>();
  const send = async (): Promise<number> => {
    const startedAt = performance.now();
    await sendRequest(server.url, nextMessage());
    return performance.now() - startedAt;
  };

  async function backUp(hours: number) {
    const keep = { periods: 24, days: 14, months: 12 };
    const clock = { nowMs: Date.now() + hours * HOUR_MS, timeZone: 'Asia/Jakarta', keep };
    const where = { ...paths, dataDir, secondDir: null, toDir: null };
    const startedAt = performance.now();
    const outcome = await runBackup({ ...where, ...clock, kind: 'periodic', isThrottled: false });
    if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, megabytes: measureNewBytes(join(paths.backupsDir, outcome.backup.name), known) / 1e6 };
  }
  const isRunning = async (): Promise<boolean> => {
    const answer = await sendRequest(server.url, { method: 'GET', path: '/api/admin/backups', token });
    return !answer.includes('"running":null');
  };

  const first = await backUp(0);
  const calm: number[] = [];
  for (let count = 0; count < MESSAGES_BETWEEN; count += 1) calm.push(await send());
  const second = await backUp(2);
  const beside: number[] = [];
  const startedAt = performance.now();
  await sendRequest(server.url, { method: 'POST', path: '/api/admin/backups', token });
  while (await isRunning()) {
    for (let count = 0; count < MESSAGES_A_LOOK; count += 1) beside.push(await send());
    await pause(LOOK_EVERY_MS);
  }
  const throttledSeconds = (performance.now() - startedAt) / 1000;
  return [
    { name: 'first archive, s', measured: first.seconds },
    { name: 'first archive, MB', measured: first.megabytes },
    { name: 'second archive after 1,000 messages, s', measured: second.seconds },
    { name: 'second archive, MB that it does not share', measured: second.megabytes },
    { name: 'third archive, made by the server, s', measured: throttledSeconds },
    { name: 'message beside it, p50, ms', measured: percentiles(beside).p50, baseline: percentiles(calm).p50 },
    { name: 'message beside it, p99, ms', measured: percentiles(beside).p99, baseline: percentiles(calm).p99 },
  ];
}
