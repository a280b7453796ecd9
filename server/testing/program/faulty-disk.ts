import fs, { type WriteFileOptions } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

/**
 * Loaded before the program, in each of its threads: one folder behaves as if its disk were full, read-only or slow. The
 * calls of Node are replaced, so the program is as it ships, and no mount and no root is needed. Reading still works. The
 * query of its URL names the folder, and the file in which the test writes the fault.
 */

const query = new URL(import.meta.url).searchParams;
const folder = resolve(query.get('folder') ?? '');
const faultFile = query.get('fault') ?? '';
const SLOW_WRITE_MS = 2000;

const original = { ...fs };
const handles = new Set<number>();
const waiter = new Int32Array(new SharedArrayBuffer(4));
let hasShortWrite = false;

/** The fault of this moment, as the test wrote it; empty for a healthy disk. */
function readFault(): string {
  try {
    return original.readFileSync(faultFile, 'utf8');
  } catch {
    hasShortWrite = false;
    return '';
  }
}

const isInFolder = (path: unknown): boolean => {
  const file = resolve(String(path));
  return file === folder || file.startsWith(`${folder}${sep}`);
};

function fail(code: 'ENOSPC' | 'EROFS', call: string): never {
  throw Object.assign(new Error(`${code}: injected, ${call}`), { code, syscall: call });
}

/** Lets a call change names in the folder, unless the disk refuses it. */
function changeNames<A extends unknown[], R>(call: string, act: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    const isTouched = given.slice(0, 2).some((path) => typeof path === 'string' && isInFolder(path));
    if (isTouched && readFault() === 'read-only') fail('EROFS', call);
    return act(...given);
  };
}

/** @returns how many of the bytes may be written; the last write before a disk is full may be a short one */
function admit(bytes: number, call: string): number {
  const fault = readFault();
  if (fault === 'read-only') fail('EROFS', call);
  if (fault === 'slow') Atomics.wait(waiter, 0, 0, SLOW_WRITE_MS);
  if (fault !== 'full') return bytes;
  if (hasShortWrite || bytes < 2) fail('ENOSPC', call);
  hasShortWrite = true;
  return Math.floor(bytes / 2);
}

/** As the program writes; logs are written in other forms, and not into the folder. */
type WriteCall = [handle: number, bytes: Uint8Array, from: number, length: number, position: number | null];

const faulty = {
  openSync(path: string, flags: string = 'r', mode?: number) {
    const isTouched = isInFolder(path);
    if (isTouched && flags !== 'r' && readFault() === 'read-only') fail('EROFS', 'open');
    const handle = original.openSync(path, flags, mode);
    if (isTouched && flags !== 'r') handles.add(handle);
    return handle;
  },
  closeSync(handle: number) {
    handles.delete(handle);
    original.closeSync(handle);
  },
  writeSync(...given: WriteCall) {
    const [handle, bytes, from, length, position] = given;
    if (!handles.has(handle)) return original.writeSync(...given);
    return original.writeSync(handle, bytes, from, admit(length, 'write'), position);
  },
  writeFileSync(file: string | number, data: string | Uint8Array, options?: WriteFileOptions) {
    if (typeof file !== 'number' || !handles.has(file)) return original.writeFileSync(file, data, options);
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const admitted = admit(bytes.length, 'write');
    original.writeFileSync(file, bytes.subarray(0, admitted), options);
    if (admitted < bytes.length) fail('ENOSPC', 'write');
  },
  ftruncateSync(handle: number, length?: number) {
    if (handles.has(handle) && readFault() === 'read-only') fail('EROFS', 'ftruncate');
    original.ftruncateSync(handle, length);
  },
  renameSync: changeNames('rename', original.renameSync),
  rmSync: changeNames('unlink', original.rmSync),
  mkdirSync: changeNames('mkdir', original.mkdirSync),
};
Object.assign(fs, faulty);
syncBuiltinESMExports();
