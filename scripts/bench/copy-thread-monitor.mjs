// Loaded into every thread of the measured server. In the thread of the running copy it counts the bytes that are written,
// and the main thread asks for them, with the processor time of that thread.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

const CHANNEL = 'bench-copy-thread';
const isCopyThread = !isMainThread && workerData?.pbbTask?.name === 'copy';
/** The database file of the copy: it is written when a log is finished, or when all is copied anew. */
const DATABASE_FILE = /^pbb\.sqlite(\.part)?$/;

if (isCopyThread) {
  const written = { databaseBytes: 0, otherBytes: 0 };
  /** @type {Map<number, 'databaseBytes' | 'otherBytes'>} */
  const kinds = new Map();
  const { openSync, writeSync, writevSync, writeFileSync } = fs;
  Object.assign(fs, {
    /** @param {string | URL} path @param {string} flags @param {number | undefined} mode */
    openSync(path, flags, mode) {
      const handle = openSync(path, flags, mode);
      kinds.set(handle, DATABASE_FILE.test(basename(String(path))) ? 'databaseBytes' : 'otherBytes');
      return handle;
    },
    /**
     * @param {number} handle @param {Uint8Array} content @param {number} from @param {number} length
     * @param {number | null} position
     */
    writeSync(handle, content, from, length, position) {
      const bytes = writeSync(handle, content, from, length, position);
      written[kinds.get(handle) ?? 'otherBytes'] += bytes;
      return bytes;
    },
    /** @param {number} handle @param {Uint8Array[]} contents @param {number | undefined} position */
    writevSync(handle, contents, position) {
      const bytes = writevSync(handle, contents, position);
      written[kinds.get(handle) ?? 'otherBytes'] += bytes;
      return bytes;
    },
    /** @param {number | string} file @param {string} content @param {import('node:fs').WriteFileOptions} options */
    writeFileSync(file, content, options) {
      writeFileSync(file, content, options);
      written.otherBytes += Buffer.byteLength(content);
    },
  });
  syncBuiltinESMExports();
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', () => {
    const { user, system } = process.threadCpuUsage();
    channel.postMessage({ cpuMicroseconds: user + system, ...written });
  });
  channel.unref();
}

/** @param {(usage: { cpuMicroseconds: number, databaseBytes: number, otherBytes: number }) => void} answer */
export function askCopyThread(answer) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', (event) => {
    channel.close();
    answer(/** @type {MessageEvent} */ (event).data);
  });
  channel.postMessage('usage');
}
