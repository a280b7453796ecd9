import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../bootstrap.mjs';
import { signMachO } from './sign-macho.ts';
import { stripElf } from './strip-elf.ts';
import { TARGETS } from './targets.ts';
import { unsignPe } from './unsign-pe.ts';

const readNativeAddon = (name: string): Buffer => {
  const target = TARGETS.find((one) => one.name === name);
  return readFileSync(join(root, 'node_modules/better-sqlite3/prebuilds', String(target?.nativeAddon)));
};

describe('a Linux program', () => {
  it.each(['linux-x64', 'linux-arm64'])('loses its names and nothing that is loaded: %s', (name) => {
    const whole = readNativeAddon(name);
    const stripped = stripElf(whole);
    expect(stripped.length).toBeLessThan(whole.length * 0.97);
    expect(stripElf(stripped).equals(stripped)).toBe(true);
    // Only the header's three numbers about sections differ in what is loaded.
    const loaded = (file: Buffer): Buffer => file.subarray(64, stripped.length - 64 * 64);
    expect(loaded(stripped).equals(loaded(whole))).toBe(true);
  });

  // Only Linux can run what was stripped.
  it.skipIf(process.platform !== 'linux')('still runs after it was stripped', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbb-strip-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'node');
    writeFileSync(file, stripElf(readFileSync(process.execPath)), { mode: 0o755 });
    expect(execFileSync(file, ['-p', '6 * 7'], { encoding: 'utf8' })).toBe('42\n');
  });

  it('must be one', () => {
    expect(() => stripElf(readNativeAddon('darwin-arm64'))).toThrow('bukan program Linux');
    expect(() => stripElf(Buffer.from('#!/bin/sh\necho halo, bukan program\n'.repeat(4)))).toThrow(
      'bukan program Linux',
    );
  });
});

describe('a Windows program', () => {
  /** Only what is looked at: the two headers, a body, and a signature at the end. */
  function buildSignedPe(): Buffer {
    const file = Buffer.alloc(1024 + 64, 7);
    file.writeUInt32LE(128, 0x3c);
    file.write('PE\0\0', 128, 'latin1');
    file.writeUInt16LE(0x20b, 128 + 24);
    file.writeUInt32LE(1024, 128 + 24 + 144);
    file.writeUInt32LE(64, 128 + 24 + 148);
    return file;
  }

  it('loses its signature with every mention of it', () => {
    const unsigned = unsignPe(buildSignedPe());
    expect(unsigned.length).toBe(1024);
    expect([unsigned.readBigUInt64LE(128 + 24 + 144), unsigned.readUInt32LE(128 + 24 + 64)]).toEqual([0n, 0]);
    expect(unsignPe(unsigned).equals(unsigned)).toBe(true);
  });

  it('is left as it is when nobody has signed it, and must be one', () => {
    const native = readNativeAddon('win-x64');
    expect(unsignPe(native).equals(native)).toBe(true);
    expect(() => unsignPe(readNativeAddon('linux-x64'))).toThrow('bukan program Windows');
  });
});

describe('a macOS program', () => {
  const LC_CODE_SIGNATURE = 0x1d;

  /** The last command and what it points to, if it is a signature. */
  function readLastCommand(file: Buffer) {
    const sizes = [file.readUInt32LE(16), file.readUInt32LE(20)];
    let at = 32;
    for (let index = 1; index < (sizes[0] ?? 0); index += 1) at += file.readUInt32LE(at + 4);
    const [kind, from, length] = [file.readUInt32LE(at), file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
    return { at, kind, from, length, blob: file.subarray(from, from + length) };
  }

  it("is signed as Apple's own linker signs", () => {
    // That linker has signed this library; without its signature, ours must come out the same.
    const signed = readNativeAddon('darwin-arm64');
    const theirs = readLastCommand(signed);
    expect(theirs.kind).toBe(LC_CODE_SIGNATURE);
    const unsigned = Buffer.from(signed.subarray(0, theirs.from));
    unsigned.fill(0, theirs.at, theirs.at + 16);
    unsigned.writeUInt32LE(unsigned.readUInt32LE(16) - 1, 16);
    unsigned.writeUInt32LE(unsigned.readUInt32LE(20) - 16, 20);

    const ours = signMachO(unsigned, 'better_sqlite3.node');
    const { blob } = readLastCommand(ours);
    // But for the two words by which a program differs from a library (how much of it runs, and that it is the main one).
    const comparable = (bytes: Buffer): Buffer => Buffer.concat([bytes.subarray(0, 20 + 72), bytes.subarray(20 + 88)]);
    expect(comparable(blob).equals(comparable(theirs.blob))).toBe(true);
    expect(blob.readBigUInt64BE(20 + 80)).toBe(1n);
    expect(ours.subarray(0, theirs.from).equals(signed.subarray(0, theirs.from))).toBe(true);
  });

  it('must be one, and not signed yet', () => {
    expect(() => signMachO(readNativeAddon('darwin-arm64'), 'x')).toThrow('sudah ditandatangani');
    expect(() => signMachO(readNativeAddon('linux-x64'), 'x')).toThrow('bukan program macOS');
  });
});
