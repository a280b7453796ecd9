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
import { verifyArchive } from './create-archive.ts';
import {
  buildDataFolder,
  readContent,
  buildJob,
  NOON,
  tempFolder,
  TIME_ZONE,
  type TestDataFolder,
} from '#server/testing/test-data-folder.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** Node with a few lines of a program; it never outlives the test. */
function runScript(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('a process that is killed while it makes a backup', { timeout: 3 * MINUTE_MS }, () => {
  it.each([0, 30, 60, 90])('at %d percent leaves no archive, and what it left is swept', async (killAt) => {
    const office = buildDataFolder();
    for (let count = 0; count < 12; count += 1) office.addRecord(`r${count}`, 1_000_000);
    const child = runScript(`
      const { runBackup } = await import(${urlOf('backup-job.ts')});
      await runBackup(${JSON.stringify(buildJob(office))}, (percent) => {
        if (percent >= ${killAt}) process.kill(process.pid, 'SIGKILL');
      });`);
    const [, signal] = (await withTimeout('the process to end', once(child, 'exit'), MINUTE_MS)) as [number, string];
    expect(signal).toBe('SIGKILL');
    const left = readdirSync(office.backupsDir);
    expect(left.filter((name) => name.endsWith('.tar'))).toEqual([]);
    expect(left.filter(isLeftover).length).toBeGreaterThan(0);

    expect((await runBackup(buildJob(office))).result).toBe('done');
    expect(readdirSync(office.backupsDir).toSorted()).toEqual(['pbb-kita-20260610-120000.tar', 'status.json']);
  });
});

describe('a process that is killed while it restores', { timeout: 3 * MINUTE_MS }, () => {
  it('before everything stands ready changes nothing, and what it left is swept', async () => {
    const office = buildDataFolder();
    for (let count = 0; count < 8; count += 1) office.addRecord(`lama ${count}`, 500_000);
    const outcome = await runBackup(buildJob(office));
    if (outcome.result !== 'done') throw new Error('no backup');
    const file = join(office.backupsDir, outcome.backup.name);
    office.addRecord('sesudah cadangan');
    const before = readContent(office.databaseFile);
    office.close();

    // Says so for every file that it has staged, and waits to be told to go on.
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
      await restore(${JSON.stringify(office.dataDir)}, checked, { nowMs: ${NOON}, timeZone: 'UTC' });`);
    const [, signal] = (await withTimeout('the process to end', once(child, 'exit'), MINUTE_MS)) as [number, string];
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(office.dataDir).some((name) => name.startsWith('pemulihan-'))).toBe(true);
    openDataFolder(office.dataDir).release();
    expect(readdirSync(office.dataDir).some((name) => name.startsWith('pemulihan'))).toBe(false);
    expect(readContent(office.databaseFile)).toEqual(before);
    for (const proof of Object.values(before.records))
      expect(existsSync(join(office.proofsDir, proof ?? ''))).toBe(true);
  });
});

/** Adds records, images and messages like a busy server, and says of each when it is on the disk. */
const writerScript = (dataFolder: TestDataFolder): string => `
  import { createInterface } from 'node:readline';
  import { randomBytes, randomUUID } from 'node:crypto';
  import { renameSync, rmSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const { openDatabase } = await import(${urlOf('../../db/open.ts')});
  const { sqlite } = openDatabase(${JSON.stringify(dataFolder.databaseFile)});
  const proofsDir = ${JSON.stringify(dataFolder.proofsDir)};
  const userId = sqlite.prepare('select id from users').pluck().get();
  const addRecord = sqlite.prepare(\`insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen,
    status, proof_file, created_at, updated_at) values (?, ?, ?, 'x', 'PBB', ?, 2025, 1, 'lunas', ?, 1, 1)\`);
  const addMessage = sqlite.prepare(\`insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal,
    created_at) values (?, ?, 'Budi', 0, ?, 1, 1)\`);
  const letGo = sqlite.prepare('update tax_records set proof_file = null where proof_file = ?');
  let ends = false;
  createInterface({ input: process.stdin }).on('line', () => { ends = true; });
  const proofs = [];
  for (let index = 0; !ends; index += 1) {
    const proof = randomUUID() + '.jpg';
    writeFileSync(join(proofsDir, proof + '.part'), randomBytes(20_000));
    renameSync(join(proofsDir, proof + '.part'), join(proofsDir, proof));
    sqlite.transaction(() => {
      addRecord.run(randomUUID(), userId, 'catatan ' + index, randomUUID(), proof);
      addMessage.run(userId, userId, 'pesan ' + index);
    })();
    console.log(index);
    proofs.push(proof);
    // Every third image is replaced by another a little later, so that images go away all the time.
    if (index % 3 === 2) {
      const [gone] = proofs.splice(Math.max(0, proofs.length - 20), 1);
      letGo.run(gone);
      rmSync(join(proofsDir, gone));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  sqlite.close();
  process.exit(0);`;

describe('a backup beside a server that is busy', { timeout: 3 * MINUTE_MS }, () => {
  it('holds everything that was acknowledged before it began, and every image that it names', async () => {
    const office = buildDataFolder();
    for (let count = 0; count < 6; count += 1) office.addRecord(`awal ${count}`, 1_000_000);
    const writer = runScript(writerScript(office));
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
    const outcome = await runBackup(buildJob(office, { isThrottled: true }));
    if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
    // It was really busy meanwhile.
    await expect.poll(() => acknowledged, { timeout: MINUTE_MS }).toBeGreaterThan(before + 10);
    writer.stdin.write('end\n');
    await withTimeout('the writer to end', once(writer, 'exit'), MINUTE_MS);
    expect(outcome.missingProofs).toEqual([]);

    const restored = join(tempFolder(), 'data');
    const folder = openDataFolder(restored);
    const checked = await verifyForRestore(join(office.backupsDir, outcome.backup.name), 9e15);
    expect(await restore(restored, checked, { nowMs: NOON, timeZone: TIME_ZONE })).toBeNull();
    const { records, sessions } = readContent(folder.databaseFile);
    for (let index = 0; index <= before; index += 1) expect(records).toHaveProperty([`catatan ${index}`]);
    const proofs = Object.values(records).filter((proof) => proof !== null);
    expect(proofs.length).toBeGreaterThan(20);
    for (const proof of proofs) expect(existsSync(join(folder.proofsDir, proof)), proof).toBe(true);
    expect(sessions).toBe(0);
    folder.release();
    await verifyArchive(checked.file, createThrottle(false));
  });
});
