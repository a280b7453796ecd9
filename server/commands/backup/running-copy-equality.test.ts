import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readInstallationState } from '#server/db/data-folder/installation-state.ts';
import { buildImage } from '#server/testing/multipart.ts';
import { hashFiles, hashTables, startCopiedOffice, waitForQuietCopy } from '#server/testing/program/copied-office.ts';
import { runProgram } from '#server/testing/program/run-program.ts';

it('equals its source in every table and every file after a quiet minute, while the server runs on', async () => {
  const office = await startCopiedOffice();
  const { dataDir, folder } = office;
  mkdirSync(join(dataDir, 'tls'), { mode: 0o700 });
  writeFileSync(join(dataDir, 'tls/kantor.pem'), randomBytes(500));
  writeFileSync(join(dataDir, 'setelan.env'), 'APP_TIMEZONE=Asia/Makassar\nPORT=8080\n');
  await office.send('akan dihapus', { bytes: buildImage('jpg', 20_000), filename: 'lama.jpg' });
  await office.clear();
  for (let count = 1; count <= 30; count += 1) await office.send(`pesan ${count} ${'x'.repeat(count * 20)}`);
  await office.send('dengan foto', { bytes: buildImage('png', 700_000), filename: 'foto.png' });
  await office.addRecord(buildImage('jpg', 300_000));
  await waitForQuietCopy(office);
  const tables = hashTables(dataDir);
  const files = hashFiles(dataDir);

  const restored = join(dataDir, '../restored');
  // Without --data it is no trial, so the settings are restored as they are.
  const result = await runProgram(['restore', folder, '--ya'], { env: { DATA_DIR: restored } });
  expect(result).toMatchObject({ code: 0, stderr: '' });

  expect(hashTables(restored)).toEqual(tables);
  expect(hashFiles(restored)).toEqual(files);
  expect(Object.keys(files).filter((path) => path.startsWith('proofs/'))).toHaveLength(2);
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['secret', 'setelan.env', 'tls/kantor.pem']));
  const [before, after] = [dataDir, restored].map((folderOf) => readInstallationState(folderOf)?.identity);
  expect(after).toMatchObject({ office: before?.office, predecessors: [before?.holder] });
  // The server was not stopped, and the copy is still its own.
  expect(await office.copyStatus()).toMatchObject({ state: 'ok', message: null });
  expect(hashTables(dataDir)).toEqual(tables);
  expect(readFileSync(join(folder, 'tls/kantor.pem'))).toEqual(readFileSync(join(dataDir, 'tls/kantor.pem')));
});
