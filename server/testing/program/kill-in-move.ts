import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { basename, join } from 'node:path';

/**
 * Loaded before the program: ends it near the end of a move, as `kill -9` does. The query of its URL names the data folder and
 * the call before which it ends.
 */

const query = new URL(import.meta.url).searchParams;
const mark = join(query.get('folder') ?? '', 'dipindahkan.json');
const point = query.get('point');

/** Before the mark is there nothing is at its end. */
function killAt(reached: string): void {
  if (reached === point && fs.existsSync(mark)) process.kill(process.pid, 'SIGKILL');
}

const original = { ...fs };
const renameSync = (from: string, to: string): void => {
  killAt(`rename ${basename(to)}`);
  original.renameSync(from, to);
};
const rmSync = (path: string, options?: fs.RmOptions): void => {
  killAt(`remove ${basename(path)}`);
  original.rmSync(path, options);
};
Object.assign(fs, { renameSync, rmSync });
syncBuiltinESMExports();

// oxlint-disable-next-line typescript/unbound-method -- called with the socket below
const { write } = Socket.prototype;
Socket.prototype.write = function writeOrEnd(this: Socket, ...given: Parameters<typeof write>) {
  if (Buffer.isBuffer(given[0]) && given[0].includes('commit\0')) killAt('commit');
  return write.apply(this, given);
} as typeof write;
