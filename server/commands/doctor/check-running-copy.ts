import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readInstallationState } from '#server/db/data-folder/installation-state.ts';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { readDiskSpace } from '#server/files/disk-space.ts';
import {
  copyAgeMs,
  copyFolderIn,
  judgeOwnership,
  readCopyState,
  type CopyState,
} from '#server/operations/running-copy/copy-state.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatCopyAge } from '#shared/domain/format-duration.ts';
import type { Finding, Installation } from './check.ts';

/** A running server keeps the copy younger than this (docs/requirements.md R-SYS-30). */
const AGE_MAX_MS = MINUTE_MS;

/** The only advice about what a second folder is for; without one there are neither copies of backups nor a running copy. */
export function adviseSecondFolder({ settings }: Installation): Finding | null {
  if (settings.backup.secondDir !== null) return null;
  return {
    what: 'semua cadangan ada di komputer ini saja',
    hint: 'Sangat dianjurkan: pasang disk kedua dan isi BACKUP_SECOND_DIR, untuk salinan cadangan dan salinan berjalan.',
  };
}

/** The running copy in the second folder: whose it is, its age, its size and the room on its disk. */
export function checkRunningCopy({ settings, isRunning, computer }: Installation): Finding | null {
  const { secondDir, runningCopy } = settings.backup;
  // A missing folder is found by the check of the second folder.
  if (secondDir === null || !existsSync(secondDir)) return null;
  if (!runningCopy) {
    return {
      what: 'salinan berjalan dimatikan (BACKUP_RUNNING_COPY=off)',
      hint: 'Hapus setelan itu, kecuali bila kantor ini memang hanya untuk percobaan.',
    };
  }
  const folder = copyFolderIn(secondDir);
  try {
    const state = readCopyState(folder);
    if (state === null) return describeMissingCopy(secondDir, isRunning);
    return describeForeignCopy(state, settings) ?? describeCopy(state, folder, { isRunning, nowMs: computer.now() });
  } catch (error) {
    return {
      what: `salinan berjalan di "${secondDir}" tidak dapat dibaca (${errorCodeOrText(error)})`,
      advice: 'Jalankan sebagai pengguna yang menjalankan server; bila tetap begitu, periksa disk itu.',
    };
  }
}

const LOOK_IN_SETTINGS = 'Sebabnya tertulis di Pengaturan, kartu Cadangan.';

function describeMissingCopy(secondDir: string, isRunning: boolean): Finding {
  const what = `belum ada salinan berjalan di "${secondDir}"`;
  return isRunning ? { what, advice: LOOK_IN_SETTINGS } : { what, hint: 'Server membuatnya sendiri selama berjalan.' };
}

/** @returns null for a copy into which the server of this data folder may write */
function describeForeignCopy(state: CopyState, { dataDir, backup }: Installation['settings']): Finding | null {
  // A data folder of an earlier version gets its identity at the next start.
  const own = readInstallationState(dataDir)?.identity;
  const ownership = own ? judgeOwnership(state.identity, own) : 'own';
  if (ownership === 'other office') {
    return {
      what: `salinan berjalan di "${backup.secondDir}" milik kantor lain`,
      advice: 'Pilih folder lain untuk BACKUP_SECOND_DIR.',
    };
  }
  if (ownership === 'own') return null;
  return {
    what: `salinan di "${backup.secondDir}" lebih baru: kantor ini mungkin sudah pindah ke komputer lain`,
    advice: 'Bila memang sudah pindah, matikan server di komputer ini. Lihat panduan, bab Salinan berjalan.',
  };
}

function describeCopy(
  state: CopyState,
  folder: string,
  { isRunning, nowMs }: { isRunning: boolean; nowMs: number },
): Finding {
  const place = describePlace(folder);
  const ageMs = copyAgeMs(state, nowMs);
  if (ageMs === null) {
    const hint = isRunning ? 'Kemajuannya ada di Pengaturan, kartu Cadangan.' : 'Server meneruskannya selama berjalan.';
    return { what: `salinan berjalan pertama belum selesai; ${place}`, hint };
  }
  const what = `salinan berjalan: ${formatCopyAge(ageMs)}; ${place}`;
  return isRunning && ageMs > AGE_MAX_MS ? { what, advice: LOOK_IN_SETTINGS } : { what };
}

function describePlace(folder: string): string {
  const disk = readDiskSpace(folder);
  const free = disk ? `; ruang disknya: ${formatBytes(disk.freeBytes)} kosong` : '';
  return `ukuran ${formatBytes(folderBytes(folder))}${free}`;
}

/** A running server may remove a file meanwhile. */
function folderBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
}
