import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { describeFault, sizeText } from '#server/backups/faults.ts';
import { listBackups } from '#server/backups/names.ts';
import {
  checkForRestore,
  restore as restoreData,
  UnfinishedRestoreError,
  type Checked,
} from '#server/backups/restore.ts';
import { openDataFolder, placesIn } from '#server/db/data-folder.ts';
import { programResources } from '#server/program-resources.ts';
import type { Settings } from '#server/settings.ts';
import { CommandError, parseOptions, programName, requireSettings, say, type Command } from './command.ts';
import { ask, isAtTerminal, readLine } from './terminal.ts';

const WORD = 'PULIHKAN';
const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/** Puts a backup in the place of everything; without a file it lists what there is. */
export const restore: Command = async (args) => {
  const { values, positionals } = parseOptions(args, { ya: { type: 'boolean' }, data: { type: 'string' } }, 1);
  const settings = requireSettings({ data: values.data });
  const [given] = positionals;
  if (given === undefined) return list(settings);

  // Before anything is read: whoever forgot to stop the server hears it at once. Held until all is done.
  const folder = openDataFolder(settings.dataDir);
  try {
    say('Memeriksa cadangan …');
    const checked = await plainly(() => checkForRestore(locate(given, folder.backupsDir), newestKnown()));
    describe(checked, settings);
    if (values.ya !== true) await confirm();
    say('Memulihkan …');
    const { timeZone, dataDir } = settings;
    const aside = await plainly(() => restoreData(dataDir, checked, { nowMs: Date.now(), timeZone }));
    say('Pemulihan selesai. Semua pengguna harus login lagi.');
    if (aside !== null) {
      say(`Data sebelumnya disimpan di ${aside}; hapus folder itu bila sudah yakin tidak diperlukan.`);
    }
    return 0;
  } finally {
    folder.release();
  }
};

/** A path, or the name of one in the folder of backups. */
function locate(given: string, backupsDir: string): string {
  const named = join(backupsDir, basename(given));
  return !existsSync(given) && dirname(given) === '.' && existsSync(named) ? named : resolve(given);
}

function newestKnown(): number {
  const text = programResources().read('migrations/meta/_journal.json').toString('utf8');
  return journal.parse(JSON.parse(text)).entries.at(-1)?.when ?? 0;
}

async function plainly<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const told = describeFault(error, 'memulihkan');
    const isUntouched = !(error instanceof UnfinishedRestoreError);
    throw new CommandError(isUntouched ? `${told}\nTidak ada data yang diubah.` : told, { cause: error });
  }
}

const showTime = (instant: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('id-ID', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(new Date(instant));

function describe({ file, manifest, proofs, unpackedBytes }: Checked, { dataDir, timeZone }: Settings): void {
  say(`Cadangan utuh: ${file}`);
  say(`  dibuat   ${showTime(manifest.created_at, timeZone)} oleh v${manifest.app_version}`);
  say(`  isi      database dan ${proofs} bukti pembayaran, ${sizeText(unpackedBytes)}`);
  say(`Seluruh data di ${dataDir} akan diganti dengan isi cadangan ini.`);
}

async function confirm(): Promise<void> {
  const question = `Ketik ${WORD} untuk melanjutkan: `;
  const answer = isAtTerminal() ? await ask(question) : await readLine();
  if (answer.trim() !== WORD) throw new CommandError('Dibatalkan; tidak ada data yang diubah.');
}

async function list({ dataDir, timeZone, backup }: Settings): Promise<number> {
  const folders = [placesIn(dataDir).backupsDir, ...(backup.secondDir === null ? [] : [backup.secondDir])];
  let count = 0;
  for (const folder of folders) {
    const found = await listBackups(folder, timeZone);
    count += found.length;
    if (found.length > 0) say(`Cadangan di ${folder}:`);
    for (const { name, kind, createdAtMs, sizeBytes } of found) {
      const note = kind === 'manual' ? ', dibuat atas permintaan' : '';
      say(`  ${name}  ${showTime(createdAtMs, timeZone)}  ${sizeText(sizeBytes)}${note}`);
    }
  }
  if (count === 0) say(`Belum ada cadangan di ${folders.join(' atau ')}.`);
  else say(`Untuk memulihkan: hentikan server, lalu jalankan ${programName()} restore NAMA-BERKAS`);
  return 0;
}
