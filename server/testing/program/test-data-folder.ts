import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { onTestFinished } from 'vitest';
import { dataPathsIn, type DataPaths } from '#server/db/data-folder/data-folder.ts';
import { markClean } from '#server/db/sqlite/deleted-texts.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { sessions, taxRecords, users } from '#server/db/schema.ts';
import { DUMMY_HASH } from '#server/accounts/passwords.ts';
import { openTestDatabase, type TestDatabase } from '../open-test-database.ts';
import type { BackupJob } from '#server/operations/backups/backup-job.ts';

export const NOON = Date.parse('2026-06-10T05:00:00.000Z');
export const TIME_ZONE = 'Asia/Jakarta';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type TestDataFolder = DataPaths & {
  dataDir: string;
  database: TestDatabase;
  /** Stores a record with an image of random bytes. @returns the name of the image */
  addRecord: (name: string, proofBytes?: number) => string;
  /** Removes the reference first and the file second, as the server does. */
  removeProof: (proof: string) => void;
  close: () => void;
};

/** A data folder as a server leaves it, with one user and one session; the test adds the rest. */
export function buildDataFolder(dataDir: string = join(tempFolder(), 'data')): TestDataFolder {
  const places = dataPathsIn(dataDir);
  for (const folder of [dataDir, places.proofsDir, places.backupsDir]) mkdirSync(folder, { recursive: true });
  const database = openTestDatabase(places.databaseFile);
  markClean(database.sqlite);
  const userId = newId();
  const times = { createdAt: NOON, updatedAt: NOON };
  const user = { id: userId, name: 'Budi', email: `${userId}@contoh.id`, passwordHash: DUMMY_HASH, ...times };
  database.direct.insert(users).values(user).run();
  const session = { id: newId(), userId, createdAt: NOON, lastSeenAt: NOON, expiresAt: NOON + 1e9 };
  database.direct.insert(sessions).values(session).run();
  onTestFinished(() => void database.sqlite.close());

  return {
    ...places,
    dataDir,
    database,
    addRecord(name, proofBytes = 5000) {
      const proofFile = `${randomUUID()}.jpg`;
      writeFileSync(join(places.proofsDir, proofFile), randomBytes(proofBytes), { mode: 0o600 });
      const record = {
        id: newId(),
        userId,
        name,
        address: 'Jl. Melati 1',
        taxType: 'PBB',
        sptNumber: randomUUID(),
        year: 2025,
        amountSen: 100,
        status: 'lunas' as const,
        proofFile,
        ...times,
      };
      database.direct.insert(taxRecords).values(record).run();
      return proofFile;
    },
    removeProof(proof) {
      database.sqlite.prepare('update tax_records set proof_file = null where proof_file = ?').run(proof);
      rmSync(join(places.proofsDir, proof));
    },
    close: () => void database.sqlite.close(),
  };
}

export function buildJob(
  { dataDir, databaseFile, proofsDir, backupsDir }: TestDataFolder,
  changes: Partial<BackupJob> = {},
): BackupJob {
  return {
    dataDir,
    databaseFile,
    proofsDir,
    backupsDir,
    kind: 'periodic',
    nowMs: NOON,
    timeZone: TIME_ZONE,
    keep: { periods: 24, days: 14, months: 12 },
    secondDir: null,
    toDir: null,
    isThrottled: false,
    ...changes,
  };
}

/** Reads the names of the records with their images, the files of messages, and the number of sessions. */
export function readContent(databaseFile: string): {
  records: Record<string, string | null>;
  files: string[];
  sessions: number;
} {
  const { sqlite } = openDatabase(databaseFile);
  try {
    const rows = sqlite
      .prepare<[], { name: string; proof_file: string | null }>('select name, proof_file from tax_records')
      .all();
    const count = sqlite.prepare<[], number>('select count(*) from sessions').pluck().get() ?? 0;
    const files = sqlite
      .prepare<[], string>('select file from attachments union all select thumb_file from attachments')
      .pluck()
      .all();
    const records = Object.fromEntries(rows.map(({ name, proof_file }) => [name, proof_file]));
    return { records, files, sessions: count };
  } finally {
    sqlite.close();
  }
}
