import { join } from 'node:path';
import type { BackupOutcome } from '#server/operations/backups/backup-job.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { printLine } from '../terminal/command.ts';
import { CommandError } from '../terminal/command-errors.ts';

/**
 * Says where a backup is, and what is in it.
 * @throws CommandError when there is none
 * @returns the exit code: 1 when the second folder has no copy
 */
export function printOutcome(outcome: BackupOutcome, secondDir: string | null): number {
  if (outcome.result === 'busy') {
    throw new CommandError('Pencadangan lain sedang berjalan. Tunggu sampai selesai, lalu ulangi.');
  }
  if (outcome.result === 'failed') throw new CommandError(outcome.message);
  const { folder, backup: made, proofs, missingProofs, evicted, secondFolderError } = outcome;
  printLine(`Cadangan selesai dan sudah diperiksa: ${join(folder, made.name)}`);
  printLine(`Isinya database dan ${proofs} foto dan dokumen, ${formatBytes(made.sizeBytes)}.`);
  if (evicted.length > 0) printLine(`Karena disk hampir penuh, ${evicted.length} cadangan lama dihapus lebih awal.`);
  if (missingProofs.length > 0) {
    printLine(
      `PERHATIAN: ${missingProofs.length} foto atau dokumen tidak ikut karena berkasnya tidak ada di folder proofs.`,
    );
  }
  if (secondFolderError !== null) {
    process.stderr.write(`Salinan kedua gagal: ${secondFolderError}\n`);
    return 1;
  }
  if (secondDir !== null && outcome.status !== null) printLine(`Salinan kedua ada di ${secondDir}.`);
  return 0;
}
