import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildImage } from '#server/testing/multipart.ts';
import {
  COPY_POLL,
  hashFiles,
  hashTables,
  startCopiedOffice,
  waitForQuietCopy,
} from '#server/testing/program/copied-office.ts';
import { runProgram } from '#server/testing/program/run-program.ts';

const FAULTY_DISK = new URL('../../testing/program/faulty-disk.ts', import.meta.url).href;

type CopiedOffice = Awaited<ReturnType<typeof startFaultyOffice>>;

/** An office whose second folder can be made faulty; its copy is whole. */
async function startFaultyOffice() {
  const office = await startCopiedOffice((root) => {
    const given = new URLSearchParams({ folder: join(root, 'usb'), fault: join(root, 'fault') });
    return { NODE_OPTIONS: `--import=${FAULTY_DISK}?${given.toString()}` };
  });
  const faultFile = join(office.dataDir, '../fault');
  await office.send('sebelum gangguan', { bytes: buildImage('png', 50_000), filename: 'foto.png' });
  return {
    ...office,
    setFault: (kind: 'full' | 'read-only' | 'slow' | null): void =>
      kind === null ? rmSync(faultFile) : writeFileSync(faultFile, kind),
  };
}

/**
 * Writes all that a copy takes over: texts, files, and an erasure, which empties the log. All is acknowledged. The first file
 * is gone before the copy can have it, so no state of the copy may name it.
 */
async function work(office: CopiedOffice): Promise<void> {
  await office.send('akan dihapus', { bytes: buildImage('png', 50_000), filename: 'foto.png' });
  await office.clear();
  await office.send('selama gangguan', { bytes: buildImage('jpg', 300_000), filename: 'surat.jpg' });
  for (let count = 1; count <= 20; count += 1) await office.send(`pesan ${count} `.padEnd(2000, 'x'));
}

let restores = 0;
/** Restores a copy. @returns the hashes of what it brings back */
async function restore({ dataDir }: CopiedOffice, folder: string) {
  restores += 1;
  const target = join(dataDir, `../restored-${restores}`);
  const result = await runProgram(['restore', folder, '--ya'], { env: { DATA_DIR: target } });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return { tables: hashTables(target), files: hashFiles(target) };
}

const readSource = ({ dataDir }: CopiedOffice) => ({ tables: hashTables(dataDir), files: hashFiles(dataDir) });

/** Waits until the copy is stopped. @returns its state as the page of an administrator has it */
async function waitForStop(office: CopiedOffice) {
  await expect.poll(async () => (await office.copyStatus())?.state, COPY_POLL).toBe('stopped');
  return office.copyStatus();
}

async function expectWholeAgain(office: CopiedOffice): Promise<void> {
  // An erasure makes the copy look at once; without it the next look is up to ten seconds away.
  await office.send('sesudah gangguan');
  await office.clear();
  await waitForQuietCopy(office);
  // The page has it a moment after the disk.
  await expect.poll(() => office.copyStatus(), COPY_POLL).toMatchObject({ state: 'ok', message: null, reason: null });
  expect(await restore(office, office.folder)).toEqual(readSource(office));
}

describe('the running copy of a server', () => {
  it('keeps its last state while its folder is gone, says so, and is equal again when the folder is back', async () => {
    const office = await startFaultyOffice();
    await waitForQuietCopy(office);
    const before = readSource(office);
    const away = `${office.secondDir}-away`;
    renameSync(office.secondDir, away);
    await work(office);
    const status = await waitForStop(office);
    expect(status).toMatchObject({
      message: `Folder "${office.secondDir}" tidak ada. Pasang disk USB atau sambungkan folder jaringannya, atau buat folder itu dulu.`,
      reason: 'disk',
      at: expect.any(String),
      behind_seconds: expect.any(Number),
    });
    expect(await restore(office, join(away, 'salinan-berjalan'))).toEqual(before);
    renameSync(away, office.secondDir);
    await expectWholeAgain(office);
  });

  it('stays whole on a full disk, says so, and is equal again when the disk has room', async () => {
    const office = await startFaultyOffice();
    office.setFault('full');
    await work(office);
    expect(await waitForStop(office)).toMatchObject({
      message: `Disk dari "${office.secondDir}" penuh. Kosongkan sebagian isinya; salinan berikutnya dibuat sendiri.`,
      reason: 'disk',
      at: expect.any(String),
      behind_seconds: expect.any(Number),
    });
    await restore(office, office.folder);
    office.setFault(null);
    await expectWholeAgain(office);
  });

  it('keeps its last state on a disk that became read-only, says so, and is equal again afterwards', async () => {
    const office = await startFaultyOffice();
    await waitForQuietCopy(office);
    const before = readSource(office);
    office.setFault('read-only');
    await work(office);
    expect(await waitForStop(office)).toMatchObject({
      message: expect.stringMatching(/^Salinan ke ".*usb" gagal \(EROFS\): server tidak boleh menulis di situ\./),
      reason: 'disk',
      at: expect.any(String),
      behind_seconds: expect.any(Number),
    });
    expect(await restore(office, office.folder)).toEqual(before);
    office.setFault(null);
    await expectWholeAgain(office);
  });

  it('says how far it is behind on a disk that writes two seconds at a time, beside a server that answers, and catches up', async () => {
    const office = await startFaultyOffice();
    office.setFault('slow');
    await work(office);
    // A look that takes no time is made every ten seconds.
    await expect.poll(async () => (await office.copyStatus())?.behind_seconds, COPY_POLL).toBeGreaterThan(12);
    await work(office);
    office.setFault(null);
    await expectWholeAgain(office);
  });
});
