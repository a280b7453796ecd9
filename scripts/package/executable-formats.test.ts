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
import { withoutCompiler } from './without-compiler.ts';

const readNativeAddon = (name: string): Buffer => {
  const target = TARGETS.find(({ name: targetName }) => targetName === name);
  return readFileSync(join(root, 'node_modules/better-sqlite3/prebuilds', String(target?.nativeAddon)));
};

describe('stripElf', () => {
  it.each(['linux-x64', 'linux-arm64'])(
    'removes the symbol names of the %s addon and keeps every loaded byte',
    (name) => {
      const whole = readNativeAddon(name);
      const stripped = stripElf(whole);
      expect(stripped.length).toBeLessThan(whole.length * 0.97);
      expect(stripElf(stripped).equals(stripped)).toBe(true);
      // The first 64 bytes are left out: three numbers about sections differ in the ELF header.
      const loaded = (file: Buffer): Buffer => file.subarray(64, stripped.length - 64 * 64);
      expect(loaded(stripped).equals(loaded(whole))).toBe(true);
    },
  );

  // Only Linux can run the stripped program.
  it.skipIf(process.platform !== 'linux')('keeps Node runnable, also without its compiler of TypeScript', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pbb-strip-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'node');
    writeFileSync(file, stripElf(withoutCompiler(readFileSync(process.execPath))), { mode: 0o755 });
    const run = (name: string, code: string): string => {
      writeFileSync(join(folder, name), code);
      return execFileSync(file, [join(folder, name)], { encoding: 'utf8', stdio: 'pipe' });
    };
    // The HTTP parser of fetch() is a WebAssembly module too.
    const code = `require('node:http').createServer((_request, reply) => reply.end('42')).listen(0, async function () {
      console.log(await (await fetch('http://127.0.0.1:' + this.address().port)).text());
      process.exit();
    });`;
    expect(run('a.cjs', code)).toBe('42\n');
    expect(() => run('b.ts', `const six: number = 6`)).toThrow('CompileError');
  });

  it('throws for a file that is no Linux program', () => {
    expect(() => stripElf(readNativeAddon('darwin-arm64'))).toThrow('bukan program Linux');
    expect(() => stripElf(Buffer.from('#!/bin/sh\necho halo, bukan program\n'.repeat(4)))).toThrow(
      'bukan program Linux',
    );
  });
});

it('overwrites only the large WebAssembly module of Node, and keeps the layout', () => {
  const code = (large: string): Buffer => Buffer.from(`a = "${large}"; b = "AGFzbQ${'B'.repeat(90_000)}"; c = 1`);
  const large = `AGFzbQ${'B'.repeat(1_000_000)}`;
  expect(withoutCompiler(code(large)).equals(code('A'.repeat(large.length)))).toBe(true);
  const small = Buffer.from('no module at all');
  expect(withoutCompiler(small).equals(small)).toBe(true);
});

describe('unsignPe', () => {
  /** Builds the parts that unsignPe reads: the two headers, a body, and a signature at the end. */
  function buildSignedPe(): Buffer {
    const file = Buffer.alloc(1024 + 64, 7);
    file.writeUInt32LE(128, 0x3c);
    file.write('PE\0\0', 128, 'latin1');
    file.writeUInt16LE(0x20b, 128 + 24);
    file.writeUInt32LE(1024, 128 + 24 + 144);
    file.writeUInt32LE(64, 128 + 24 + 148);
    return file;
  }

  it('removes the signature, its table entry and the checksum', () => {
    const unsigned = unsignPe(buildSignedPe());
    expect(unsigned.length).toBe(1024);
    expect([unsigned.readBigUInt64LE(128 + 24 + 144), unsigned.readUInt32LE(128 + 24 + 64)]).toEqual([0n, 0]);
    expect(unsignPe(unsigned).equals(unsigned)).toBe(true);
  });

  it('returns an unsigned program unchanged and throws for a file that is no Windows program', () => {
    const native = readNativeAddon('win-x64');
    expect(unsignPe(native).equals(native)).toBe(true);
    expect(() => unsignPe(readNativeAddon('linux-x64'))).toThrow('bukan program Windows');
  });
});

describe('signMachO', () => {
  const LC_CODE_SIGNATURE = 0x1d;

  /** Reads the last load command, with the bytes it points to if it is a signature. */
  function readLastCommand(file: Buffer) {
    const sizes = [file.readUInt32LE(16), file.readUInt32LE(20)];
    let at = 32;
    for (let index = 1; index < (sizes[0] ?? 0); index += 1) at += file.readUInt32LE(at + 4);
    const [kind, from, length] = [file.readUInt32LE(at), file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
    return { at, kind, from, length, blob: file.subarray(from, from + length) };
  }

  it("writes the same signature as Apple's linker", () => {
    // Apple's linker signed this addon. The test removes that signature and signs the addon again.
    const signed = readNativeAddon('darwin-arm64');
    const appleSignature = readLastCommand(signed);
    expect(appleSignature.kind).toBe(LC_CODE_SIGNATURE);
    const unsigned = Buffer.from(signed.subarray(0, appleSignature.from));
    unsigned.fill(0, appleSignature.at, appleSignature.at + 16);
    unsigned.writeUInt32LE(unsigned.readUInt32LE(16) - 1, 16);
    unsigned.writeUInt32LE(unsigned.readUInt32LE(20) - 16, 20);

    const signedAgain = signMachO(unsigned, 'better_sqlite3.node');
    const { blob } = readLastCommand(signedAgain);
    // Left out are two fields in which a program differs from a library: the executable segment's limit and flags.
    const comparable = (bytes: Buffer): Buffer => Buffer.concat([bytes.subarray(0, 20 + 72), bytes.subarray(20 + 88)]);
    expect(comparable(blob).equals(comparable(appleSignature.blob))).toBe(true);
    expect(blob.readBigUInt64BE(20 + 80)).toBe(1n);
    expect(signedAgain.subarray(0, appleSignature.from).equals(signed.subarray(0, appleSignature.from))).toBe(true);
  });

  it('throws for a signed program and for a file that is no macOS program', () => {
    expect(() => signMachO(readNativeAddon('darwin-arm64'), 'x')).toThrow('sudah ditandatangani');
    expect(() => signMachO(readNativeAddon('linux-x64'), 'x')).toThrow('bukan program macOS');
  });
});
