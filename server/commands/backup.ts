import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sizeText } from '#server/backups/faults.ts';
import { runBackup, type BackupOutcome } from '#server/backups/run.ts';
import { placesIn } from '#server/db/data-folder.ts';
import { CommandError, parseOptions, requireSettings, say, UsageError, type Command } from './command.ts';
import { isServerRunning } from './running-server.ts';

/** One backup now, beside a running server or without one. */
export const backup: Command = async (args) => {
  const { values } = parseOptions(args, { ke: { type: 'string' }, data: { type: 'string' } });
  if (values.ke === '') throw new UsageError('Pilihan "--ke" memerlukan nama folder.');
  const { dataDir, timeZone, backup: wanted } = requireSettings({ data: values.data });
  const places = placesIn(dataDir);
  if (!existsSync(places.databaseFile)) {
    throw new CommandError(
      `DATA_DIR: belum ada data di folder "${dataDir}"; yang diterima: folder data yang pernah dipakai server`,
    );
  }
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
