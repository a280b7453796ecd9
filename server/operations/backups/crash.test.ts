import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { isLeftover } from './archive-names.ts';
import { createThrottle } from './throttle.ts';
import { verifyForRestore, restore } from './restore.ts';
import { runBackup } from './backup-job.ts';
import { verifyArchive } from './archive/create-archive.ts';
import {
  buildDataFolder,
  readContent,
  buildJob,
  NOON,
  tempFolder,
  TIME_ZONE,
  type TestDataFolder,
} from '#server/testing/program/test-data-folder.ts';
import { MINUTE_MS } from '#shared/durations.ts';

const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** Runs a few lines of a program in Node. The process ends with the test at the latest. */
function runScript(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('a process that is killed while it makes a backup', () => {
  it.each([0, 30, 60, 80])(
    'leaves no archive at %d percent, and the next backup sweeps its leftovers',
    async (killAt) => {
      const dataFolder = buildDataFolder();
      for (let count = 0; count < 12; count += 1) dataFolder.addRecord(`r${count}`, 1_000_000);
      const child = runScript(`
      const { runBackup } = await import(${urlOf('backup-job.ts')});
      await runBackup(${JSON.stringify(buildJob(dataFolder))}, { onPercent: (percent) => {
        if (percent >= ${killAt}) process.kill(process.pid, 'SIGKILL');
      } });`);
      const [, signal] = (await withTimeout('the process to end', once(child, 'exit'), MINUTE_MS)) as [number, string];
      expect(signal).toBe('SIGKILL');
      const left = readdirSync(dataFolder.backupsDir);
      expect(left.filter((name) => /^pbb-kita-[\d-]+$/.test(name))).toEqual([]);
      expect(left.filter(isLeftover).length).toBeGreaterThan(0);

      expect((await runBackup(buildJob(dataFolder))).result).toBe('done');
      expect(readdirSync(dataFolder.backupsDir).toSorted()).toEqual(['pbb-kita-20260610-120000', 'status.json']);
    },
  );
});

describe('a process that is killed while it restores', () => {
  it('changes nothing before all data is staged, and the next start sweeps its leftovers', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 8; count += 1) dataFolder.addRecord(`lama ${count}`, 500_000);
    const outcome = await runBackup(buildJob(dataFolder));
    if (outcome.result !== 'done') throw new Error('no backup');
    const file = join(dataFolder.backupsDir, outcome.backup.name);
    dataFolder.addRecord('sesudah cadangan');
    const before = readContent(dataFolder.databaseFile);
    dataFolder.close();

    // The process reports each staged file and then waits for a signal to continue.
    const child = runScript(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const real = fs.openSync;
      let staged = 0;
      fs.openSync = (path, ...rest) => {
        if (String(path).includes('pemulihan-') && ++staged === 5) process.kill(process.pid, 'SIGKILL');
        return real(path, ...rest);
      };
      syncBuiltinESMExports();
      const { verifyForRestore, restore } = await import(${urlOf('restore.ts')});
      const checked = await verifyForRestore(${JSON.stringify(file)}, 9e15);
      await restore(${JSON.stringify(dataFolder.dataDir)}, checked, { nowMs: ${NOON}, timeZone: 'UTC' });`);
    const [, signal] = (await withTimeout('the process to end', once(child, 'exit'), MINUTE_MS)) as [number, string];
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(dataFolder.dataDir).some((name) => name.startsWith('pemulihan-'))).toBe(true);
    openDataFolder(dataFolder.dataDir).release();
    expect(readdirSync(dataFolder.dataDir).some((name) => name.startsWith('pemulihan'))).toBe(false);
    expect(readContent(dataFolder.databaseFile)).toEqual(before);
    for (const proof of Object.values(before.records))
      expect(existsSync(join(dataFolder.proofsDir, proof ?? ''))).toBe(true);
  });
});

/** A copy that begins again names all files since then: on a slow disk a writer without an end outruns the backup. */
const ROWS_MAX = 200;

/**
 * Adds records, images, messages and their files like a busy server: files are uploaded, sent with the next message, and
 * removed with their rows. Reports each step that is on the disk.
 */
const writerScript = (dataFolder: TestDataFolder): string => `
  import { createInterface } from 'node:readline';
  import { randomBytes, randomUUID } from 'node:crypto';
  import { renameSync, rmSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const { openDatabase } = await import(${urlOf('../../db/sqlite/open.ts')});
  const { sqlite } = openDatabase(${JSON.stringify(dataFolder.databaseFile)});
  const proofsDir = ${JSON.stringify(dataFolder.proofsDir)};
  const userId = sqlite.prepare('select id from users').pluck().get();
  const addRecord = sqlite.prepare(\`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen,
    status, proof_file, created_at, updated_at) values (?, ?, ?, 'x', 'PBB', ?, 2025, 1, 'lunas', ?, 1, 1)\`);
  const addMessage = sqlite.prepare(\`insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal,
    created_at) values (?, ?, 'Budi', 0, ?, 1, 1)\`);
  const addFile = sqlite.prepare(\`insert into attachments (id, uploader_id, from_admin, name, file, thumb_file, type, bytes,
    created_at) values (?, ?, 0, 'struk', ?, ?, 'application/pdf', 1, 1)\`);
  const sendFiles = sqlite.prepare('update attachments set user_id = uploader_id, message_id = ? where message_id is null');
  const forgetFile = sqlite.prepare('delete from attachments where file = ?');
  const store = (name, bytes) => {
    writeFileSync(join(proofsDir, name + '.part'), randomBytes(bytes));
    renameSync(join(proofsDir, name + '.part'), join(proofsDir, name));
    return name;
  };
  const letGo = sqlite.prepare('update tax_records set proof_file = null where proof_file = ?');
  let ends = false;
  let removalsDue = 0;
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'end') ends = true;
    else removalsDue += 1;
  });
  const proofs = [];
  const files = [];
  const add = (index) => {
    const proof = store(randomUUID() + '.jpg', 20_000);
    const file = store(randomUUID() + '.pdf', 20_000);
    const thumb = store(randomUUID() + '.webp', 1000);
    sqlite.transaction(() => {
      if (index % 3 === 0) sendFiles.run(index);
      addFile.run(file, userId, file, thumb);
      addRecord.run(randomUUID(), userId, 'catatan ' + index, randomUUID(), proof);
      addMessage.run(userId, userId, 'pesan ' + index);
    })();
    console.log(index);
    proofs.push(proof);
    files.push([file, thumb]);
  };
  for (let index = 0; !ends; index += 1) {
    if (index < ${ROWS_MAX}) add(index);
    for (; removalsDue > 0; removalsDue -= 1) {
      const [gone] = proofs.splice(Math.max(0, proofs.length - 20), 1);
      letGo.run(gone);
      rmSync(join(proofsDir, gone));
      const [goneFiles] = files.splice(Math.max(0, files.length - 20), 1);
      forgetFile.run(goneFiles[0]);
      for (const name of goneFiles) rmSync(join(proofsDir, name));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  sqlite.close();
  process.exit(0);`;

describe('a backup beside a server that is busy', () => {
  it('contains everything that was confirmed before its start, and every file that it refers to', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 6; count += 1) dataFolder.addRecord(`awal ${count}`, 1_000_000);
    const writer = runScript(writerScript(dataFolder));
    let acknowledged = -1;
    const lines = createInterface({ input: writer.stdout });
    const enough = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        acknowledged = Number(line);
        if (acknowledged === 60) resolve();
      });
    });
    await withTimeout('the writer to be under way', enough, MINUTE_MS);
    const before = acknowledged;
    // A backup copies the database again after a removal, at most five times: four removals never stop it.
    let removals = 0;
    const removeImage = (): void => {
      removals += 1;
      if (removals <= 4) writer.stdin.write('remove\n');
    };
    removeImage();
    const outcome = await runBackup(buildJob(dataFolder), { onPercent: removeImage });
    expect(removals).toBeGreaterThanOrEqual(4);
    if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
    // The writer was busy during the backup.
    await expect.poll(() => acknowledged, { timeout: MINUTE_MS }).toBeGreaterThan(before + 10);
    writer.stdin.write('end\n');
    await withTimeout('the writer to end', once(writer, 'exit'), MINUTE_MS);
    expect(outcome.missingProofs).toEqual([]);

    const restored = join(tempFolder(), 'data');
    const folder = openDataFolder(restored);
    const checked = await verifyForRestore(join(dataFolder.backupsDir, outcome.backup.name), 9e15);
    expect(await restore(restored, checked, { nowMs: NOON, timeZone: TIME_ZONE })).toBeNull();
    const { records, files, sessions } = readContent(folder.databaseFile);
    for (let index = 0; index <= before; index += 1) expect(records).toHaveProperty([`catatan ${index}`]);
    const proofs = Object.values(records).filter((proof) => proof !== null);
    expect(proofs.length).toBeGreaterThan(20);
    for (const proof of proofs) expect(existsSync(join(folder.proofsDir, proof)), proof).toBe(true);
    // Each with its small image; those that were not sent yet are part of it.
    expect(files.length).toBeGreaterThan(2 * before);
    expect(files.filter((file) => !existsSync(join(folder.proofsDir, file)))).toEqual([]);
    expect(sessions).toBe(0);
    folder.release();
    await verifyArchive(checked.file, createThrottle(false));
  });
});
