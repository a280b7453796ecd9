import { sizeText } from '#server/operations/backups/faults.ts';
import { listBackups } from '#server/operations/backups/names.ts';
import { restore as restoreData } from '#server/operations/backups/restore.ts';
import { openDataFolder, placesIn } from '#server/db/data-folder.ts';
import type { Settings } from '#server/settings.ts';
import { parseOptions, programName, requireSettings, say, type Command } from './command.ts';
import { CommandError } from './fault.ts';
import { describeArchive, readGivenArchive, showTime, untouchedUnlessSaid } from './given-archive.ts';
import { ask, isAtTerminal, readLine } from './terminal.ts';

const WORD = 'PULIHKAN';

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
    const checked = await readGivenArchive(given, settings);
    describeArchive(checked, settings.timeZone);
    say(`Seluruh data di ${settings.dataDir} akan diganti dengan isi cadangan ini.`);
    if (values.ya !== true) await confirm();
    say('Memulihkan …');
    const { timeZone, dataDir } = settings;
    const aside = await untouchedUnlessSaid(() => restoreData(dataDir, checked, { nowMs: Date.now(), timeZone }));
    say('Pemulihan selesai. Semua pengguna harus login lagi.');
    if (aside !== null) {
      say(`Data sebelumnya disimpan di ${aside}; hapus folder itu bila sudah yakin tidak diperlukan.`);
    }
    return 0;
  } finally {
    folder.release();
  }
};

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
