import {
  IconCalendarDue,
  IconChecklist,
  IconClockExclamation,
  IconDatabaseExclamation,
  IconLockOpen,
  IconMessageCircle,
  IconNotes,
  IconReceipt,
  IconUserQuestion,
  IconUserX,
  type TablerIcon,
} from '@tabler/icons-react';
import { formatNumber, formatRupiah, showDateShort } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import type { NoteForMe } from '#shared/api/chat/inbox.ts';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import { statisticsDates } from '#shared/domain/dates/dates.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

/** `atMs`: when this was read. */
export type Waiting = { count: number; longestSince: string | null; atMs: number };
/** Requests of users for objects of the office's list. `atMs`: when this was read. */
export type OpenClaims = { count: number; oldestAt: string | null; atMs: number };
/** Requests of people who cannot get in. `atMs`: when this was read. */
export type OpenRecoveries = { count: number; oldestAt: string | null; atMs: number };
/** Requests of people who want their account deleted. `atMs`: when this was read. */
export type OpenErasures = { count: number; nearestDueAt: string | null; atMs: number };
export type BackupIssue = { message: string; hint: string };
export type TaskTile = {
  key: string;
  /** The number of things to do; null for something that is not counted. */
  count: string | null;
  label: string;
  detail: string;
  to: string;
  icon: TablerIcon;
  color: 'red' | 'yellow' | 'laut' | 'gray';
};

type Sources = {
  tasks: AdminStatistics['tasks'] | null;
  waiting: Waiting | null;
  claims?: OpenClaims | null;
  recoveries?: OpenRecoveries | null;
  erasures?: OpenErasures | null;
  backupIssue: BackupIssue | null;
  notesForMe?: readonly NoteForMe[];
  today: string;
};

/** The tasks that wait for an admin, most urgent first; a tile with nothing to do is left out (R-STAT-15). */
export function taskTiles(sources: Sources): TaskTile[] {
  const {
    tasks,
    waiting,
    claims = null,
    recoveries = null,
    erasures = null,
    backupIssue,
    notesForMe = [],
    today,
  } = sources;
  const tiles: TaskTile[] = [];
  if (tasks && tasks.to_check.count > 0) {
    tiles.push({
      key: 'to-check',
      count: formatNumber(tasks.to_check.count),
      label: 'bukti masuk belum dicocokkan',
      detail: formatRupiah(tasks.to_check.amount),
      to: paths.adminInbound,
      icon: IconChecklist,
      color: 'yellow',
    });
  }
  // Not the records in process: most of them wait for their check, and the same work would stand here twice.
  if (tasks && tasks.matched_unpaid.count > 0) {
    tiles.push({
      key: 'matched-unpaid',
      count: formatNumber(tasks.matched_unpaid.count),
      label: 'data cocok, belum lunas',
      detail: formatRupiah(tasks.matched_unpaid.amount),
      to: paths.adminRecordsWhere({ verification: 'matched_unpaid' }),
      icon: IconReceipt,
      color: 'yellow',
    });
  }
  if (waiting && waiting.count > 0) {
    tiles.push({
      key: 'waiting',
      count: formatNumber(waiting.count),
      label: 'chat belum dibalas',
      detail: waiting.longestSince ? `terlama menunggu ${formatWaitingTime(waiting.longestSince, waiting.atMs)}` : '',
      to: paths.adminUnansweredChat,
      icon: IconMessageCircle,
      color: 'laut',
    });
  }
  if (recoveries && recoveries.count > 0) {
    tiles.push({
      key: 'recoveries',
      count: null,
      label: `Minta masuk lagi (${formatNumber(recoveries.count)})`,
      detail: recoveries.oldestAt ? `terlama menunggu ${formatWaitingTime(recoveries.oldestAt, recoveries.atMs)}` : '',
      to: paths.adminRecoveries,
      icon: IconLockOpen,
      color: 'laut',
    });
  }
  if (erasures && erasures.count > 0) {
    const isLate = erasures.nearestDueAt !== null && Date.parse(erasures.nearestDueAt) <= erasures.atMs;
    tiles.push({
      key: 'erasures',
      count: null,
      label: `Permintaan hapus akun (${formatNumber(erasures.count)})`,
      detail: erasures.nearestDueAt ? deadlineText(erasures.nearestDueAt, erasures.atMs) : '',
      to: paths.adminErasures,
      icon: IconUserX,
      color: isLate ? 'red' : 'yellow',
    });
  }
  if (claims && claims.count > 0) {
    tiles.push({
      key: 'claims',
      count: formatNumber(claims.count),
      label: 'permintaan objek',
      detail: claims.oldestAt ? `terlama menunggu ${formatWaitingTime(claims.oldestAt, claims.atMs)}` : '',
      to: paths.adminClaims(),
      icon: IconUserQuestion,
      color: 'laut',
    });
  }
  const [firstNote] = notesForMe;
  if (firstNote) {
    tiles.push({
      key: 'notes-for-me',
      count: formatNumber(notesForMe.length),
      label: 'percakapan dengan catatan untuk Anda',
      detail: `dari ${firstNote.author.name}, tentang ${firstNote.user.name}`,
      to: paths.adminConversation(firstNote.user.id),
      icon: IconNotes,
      color: 'yellow',
    });
  }
  if (tasks && tasks.overdue.count > 0) {
    tiles.push({
      key: 'overdue',
      count: formatNumber(tasks.overdue.count),
      label: 'tagihan menunggak',
      detail: [formatRupiah(tasks.overdue.amount), estimatedText(tasks.overdue.estimated)].filter(Boolean).join(', '),
      to: paths.adminRecordsWhere({ view: 'overdue' }),
      icon: IconClockExclamation,
      color: 'red',
    });
  }
  if (tasks && tasks.due_this_week.count > 0) {
    const sunday = statisticsDates(today).week.current.toDate;
    tiles.push({
      key: 'due',
      count: formatNumber(tasks.due_this_week.count),
      label: 'jatuh tempo minggu ini',
      detail: `${formatRupiah(tasks.due_this_week.amount)} · sampai ${showDateShort(sunday)}`,
      to: paths.adminRecordsWhere({ view: 'unpaid', due_from: today, due_to: sunday }),
      icon: IconCalendarDue,
      color: 'gray',
    });
  }
  if (backupIssue) {
    tiles.push({
      key: 'backup',
      count: null,
      label: backupIssue.message,
      detail: backupIssue.hint,
      to: paths.adminSettings,
      icon: IconDatabaseExclamation,
      color: 'red',
    });
  }
  return tiles;
}

/** 'tenggat 2 hari lagi', or how long it is over. */
export function deadlineText(dueIso: string, nowMs: number): string {
  const dueMs = Date.parse(dueIso);
  return dueMs > nowMs
    ? `tenggat ${formatWaitingTime(new Date(nowMs).toISOString(), dueMs)} lagi`
    : `tenggat lewat ${formatWaitingTime(dueIso, nowMs)}`;
}

/** The time that a user has waited, in the largest whole unit: '2 hari'. */
export function formatWaitingTime(sinceIso: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(sinceIso));
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} hari`;
  if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)} jam`;
  if (ms >= MINUTE_MS) return `${Math.floor(ms / MINUTE_MS)} menit`;
  return 'kurang dari semenit';
}
