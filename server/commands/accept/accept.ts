import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDataFolder, type DataFolder } from '#server/db/data-folder/data-folder.ts';
import { findDatabaseProblem, type DatabaseProblem } from '#server/db/data-folder/expected-database.ts';
import { forgetDatabaseMarks } from '#server/db/data-folder/installation-state.ts';
import { forgetMove } from '#server/db/data-folder/moved-folder.ts';
import { putAside } from '#server/db/data-folder/put-aside.ts';
import { openMigratedDatabase } from '#server/db/migrations/open-migrated.ts';
import { programResources } from '#server/files/program-resources.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { parseOptions, printLine, type Command } from '../terminal/command.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { ask, isInteractive, readFirstLine } from '../terminal/prompt.ts';

const CONFIRMATION_WORD = 'TERIMA';

/**
 * Accepts a data folder that the server refuses because its database is missing, foreign, older than the rest or moved to
 * PostgreSQL: the only way to go on with such a folder on purpose. Nothing is deleted.
 */
export const accept: Command = async (args) => {
  const { values } = parseOptions(args, { ya: { type: 'boolean' }, data: { type: 'string' } });
  const { dataDir } = requireSettings({ data: values.data });
  if (!existsSync(dataDir)) throw new CommandError(`DATA_DIR: belum ada folder data "${dataDir}".`);
  const folder = openDataFolder(dataDir);
  try {
    const problem = findDatabaseProblem(dataDir);
    if (!problem) {
      printLine(`Tidak ada yang perlu diterima: database di ${dataDir} sesuai dengan isi folder itu.`);
      return 0;
    }
    printLine(problem.line);
    printLine(CONSEQUENCES[problem.kind]);
    if (values.ya !== true) await requireConfirmation();
    if (problem.kind === 'moved') forgetMove(dataDir);
    else if (problem.kind === 'older') forgetDatabaseMarks(dataDir);
    else foundAnew(dataDir, folder);
    printLine('Diterima. Jalankan server.');
    return 0;
  } finally {
    folder.release();
  }
};

const CONSEQUENCES = {
  moved:
    'Bila diterima, server memakai database di folder ini, seperti saat dipindahkan; yang terjadi di PostgreSQL sesudah itu tidak ada di dalamnya.',
  older:
    'Bila diterima, server memakai database ini; foto dan dokumen yang tidak dikenalnya disisihkan 30 hari di folder "disisihkan".',
  replaced:
    'Bila diterima, kantor baru dimulai dari kosong; foto, dokumen dan berkas database yang lama disisihkan 30 hari di folder "disisihkan". Cadangan tidak disentuh.',
} as const satisfies Record<DatabaseProblem['kind'], string>;

async function requireConfirmation(): Promise<void> {
  const question = `Ketik ${CONFIRMATION_WORD} untuk melanjutkan: `;
  const answer = isInteractive() ? await ask(question) : await readFirstLine();
  if (answer.trim() !== CONFIRMATION_WORD) throw new CommandError('Dibatalkan; tidak ada data yang diubah.');
}

/** After a crash in between, the folder is refused again and the command can be repeated. */
function foundAnew(dataDir: string, folder: DataFolder): void {
  const { databaseFile, proofsDir } = folder;
  forgetDatabaseMarks(dataDir);
  const databaseFiles = [`${databaseFile}-wal`, `${databaseFile}-shm`, `${databaseFile}-journal`, databaseFile];
  const proofs = readdirSync(proofsDir).map((name) => join(proofsDir, name));
  putAside(dataDir, [...databaseFiles.filter((file) => existsSync(file)), ...proofs], Date.now());
  openMigratedDatabase(folder, programResources()).sqlite.close();
}
