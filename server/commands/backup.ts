import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sizeText } from '#server/operations/backups/faults.ts';
import { runBackup, type BackupOutcome } from '#server/operations/backups/run.ts';
import { placesIn } from '#server/db/data-folder.ts';
import type { Settings } from '#server/settings.ts';
import { parseOptions, requireSettings, say, type Command } from './command.ts';
import { CommandError, UsageError } from './fault.ts';
import { describeArchive, readGivenArchive } from './given-archive.ts';
import { requireData } from './data-place.ts';
import { isServerRunning } from './running-server.ts';

/** One backup now, beside a running server or without one. */
export const backup: Command = async (args) => {
  const { values } = parseOptions(args, {
    ke: { type: 'string' },
    periksa: { type: 'string' },
    data: { type: 'string' },
  });
  if (values.ke === '') throw new UsageError('Pilihan "--ke" memerlukan nama folder.');
  if (values.periksa === '') throw new UsageError('Pilihan "--periksa" memerlukan nama berkas.');
  if (values.ke !== undefined && values.periksa !== undefined) {
    throw new UsageError('Pilihan "--ke" dan "--periksa" tidak dapat dipakai bersama.');
  }
  const settings = requireSettings({ data: values.data });
  if (values.periksa !== undefined) return check(values.periksa, settings);
  const { dataDir, timeZone, backup: wanted } = settings;
  const places = placesIn(dataDir);
  requireData(dataDir);
  if (values.ke !== undefined) requireWritable(resolve(values.ke));
  say('Mencadangkan …');
  const outcome = await runBackup({
    ...places,
    dataDir,
    kind: 'manual',
    nowMs: Date.now(),
    timeZone,
    keep: wanted.keep,
    secondDir: wanted.secondDir,
    toDir: values.ke === undefined ? null : resolve(values.ke),
    isGentle: isServerRunning(dataDir),
  });
  return tellOutcome(outcome, wanted.secondDir);
};

/** Reads a whole archive and changes nothing; a server may run. */
async function check(given: string, settings: Settings): Promise<number> {
  say('Memeriksa cadangan …');
  describeArchive(await readGivenArchive(given, settings), settings.timeZone);
  return 0;
}

/** What is not there the backup itself says. @throws CommandError */
function requireWritable(folder: string): void {
  if (!existsSync(folder)) return;
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new CommandError(
      `Folder "${folder}" tidak dapat ditulis oleh pemilik folder data, yang membuat cadangan juga bila dijalankan dengan sudo. Beri hak tulis, atau pilih folder lain.`,
    );
  }
}

function tellOutcome(outcome: BackupOutcome, secondDir: string | null): number {
  if (outcome.result === 'busy') {
    throw new CommandError('Pencadangan lain sedang berjalan. Tunggu sampai selesai, lalu ulangi.');
  }
  if (outcome.result === 'failed') throw new CommandError(outcome.message);
  const { folder, backup: made, proofs, missingProofs, spared, secondFailure } = outcome;
  say(`Cadangan selesai dan sudah diperiksa: ${join(folder, made.name)}`);
  say(`Isinya database dan ${proofs} bukti pembayaran, ${sizeText(made.sizeBytes)}.`);
  if (spared.length > 0) say(`Karena disk hampir penuh, ${spared.length} cadangan lama dihapus lebih awal.`);
  if (missingProofs.length > 0) {
    say(`PERHATIAN: ${missingProofs.length} bukti tidak ikut karena berkasnya tidak ada di folder proofs.`);
  }
  if (secondFailure !== null) {
    process.stderr.write(`Salinan kedua gagal: ${secondFailure}\n`);
    return 1;
  }
  if (secondDir !== null && outcome.status !== null) say(`Salinan kedua ada di ${secondDir}.`);
  return 0;
}
