import { formatNumber, showDate, showDateTime } from '#client/lib/format.ts';
import { formatRecordValue } from '#client/features/tax-records/display/record-field-texts.ts';
import type { AuditAction, AuditChange, AuditEntry } from '#shared/api/audit.ts';
import type { ErasureState } from '#shared/api/erasures.ts';
import type { RolloverMode } from '#shared/domain/tax-records/rollover.ts';
import { conditionLabels, type ObjectCondition } from '#shared/domain/dhkp/list-states.ts';
import { WEEKDAY_NAMES } from '#shared/domain/office/office-days.ts';
import { type TaxRecordField, taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { termText } from '#shared/texts.ts';
import { emailText } from '#shared/domain/users/email-text.ts';

/** An action as the end of a sentence that begins with the name of the actor. */
export const auditActionPhrases: Record<AuditAction, string> = {
  'record.created': 'menambahkan data PBB',
  'record.updated': 'mengubah data PBB',
  'record.deleted': 'menghapus data PBB',
  'record.checked': 'mencocokkan laporan pembayaran',
  'record.check_undone': 'membatalkan pencocokan',
  'user.created': 'membuat akun',
  'user.updated': 'mengubah akun',
  'user.deleted': 'menghapus akun',
  'password.changed': 'mengganti password',
  'conversation.deleted': 'menghapus riwayat chat',
  'note.deleted': 'menghapus catatan internal tentang',
  'conversation.taken': 'mengambil alih percakapan',
  'office.updated': 'mengubah',
  'settings.identity': 'mengubah',
  'settings.records': 'mengubah',
  'settings.retention': 'mengubah',
  'retention.ran': 'menghapus yang melewati',
  'backup.started': 'memulai pencadangan',
  'backup.downloaded': 'mengunduh cadangan',
  'dhkp.applied': 'menerapkan impor daftar',
  'dhkp.reverted': 'membatalkan impor daftar',
  'dhkp.changed': 'mengubah',
  'dhkp.linked': 'menghubungkan',
  'dhkp.unlinked': 'memutus hubungan',
  'claim.approved': 'menyetujui permintaan',
  'claim.rejected': 'menolak permintaan',
  'area.created': 'menambahkan wilayah',
  'area.updated': 'mengubah wilayah',
  'area.deleted': 'menghapus wilayah',
  'user.recovery_code': 'membuat atau membatalkan kode masuk',
  'user.card': 'membuat atau mencabut kartu',
  'user.second_factor': 'memasang atau menghapus kode kedua',
  'user.erasure': 'meminta, membatalkan, atau memutuskan hapus akun',
};

/** As above, and by its change where an action has two directions. */
export function actionPhrase({ action, changes }: AuditEntry): string {
  const [change] = changes;
  if (action === 'user.second_factor' && change?.field === 'setup_code') return 'membuat kode pemasangan untuk';
  if (action === 'user.second_factor') return change?.to === true ? 'memasang kode kedua' : 'menghapus kode kedua';
  if (action === 'user.card') return change?.to === true ? 'membuat kartu untuk' : 'mencabut kartu';
  return auditActionPhrases[action];
}

const rolloverModeLabels: Record<RolloverMode, string> = { automatic: 'Dibuat otomatis', offer: 'Ditawarkan dulu' };

const erasureLabels: Record<ErasureState, string> = {
  open: 'menunggu',
  approved: 'disetujui',
  rejected: 'ditolak',
  withdrawn: 'dibatalkan',
};

/** Fields of entries that are not about a record. */
const otherFieldLabels: Record<string, string> = {
  email: 'Email',
  is_admin: 'Hak akses admin',
  is_active: 'Akun aktif',
  messages: 'Jumlah pesan',
  messages_months: 'Pesan chat disimpan',
  inactive_accounts_months: 'Akun yang tidak dipakai disimpan',
  deleted_messages: 'Pesan dihapus',
  deleted_accounts: 'Akun dihapus',
  note_author: 'Penulis catatan',
  note_written_at: 'Ditulis',
  claimed_by: 'Ditangani oleh',
  checked: 'Diperiksa',
  erasure: 'Permintaan hapus akun',
  recovery_note: 'Keterangan',
  by_phone: 'Lewat telepon',
  closed_today: 'Tutup lebih awal hari itu',
  automatic_from_year: 'Dibuat otomatis dari data tahun',
  copied_from_year: 'Dibuat dari data tahun',
  user_years: 'Tahun pajak yang dapat diisi warga',
  rollover: 'Data tahun baru',
  phone: 'Telepon',
  own_phone: 'Nomor HP',
  card: 'Kartu',
  second_factor: 'Kode kedua',
  setup_code: 'Kode pemasangan',
  whatsapp: 'WhatsApp',
  logo: 'Logo',
  file_name: 'Berkas',
  sha256: 'SHA-256 berkas',
  rows_new: 'Baris baru',
  rows_changed: 'Baris berubah',
  rows_same: 'Baris sama',
  rows_gone: 'Tidak ada lagi di berkas',
  rows_problem: 'Baris bermasalah',
  control_file: 'Jumlah di berkas',
  control_typed: 'Jumlah yang diketik',
  control_computed: 'Jumlah baris',
  reason: 'Alasan',
  condition: 'Keadaan',
  note: 'Catatan objek',
  handed_out_on: 'SPPT diserahkan',
  handed_out_to: 'Penerima SPPT',
  area: 'Wilayah',
  collector: 'Kolektor',
  objects: 'Jumlah objek',
  account: 'Akun pemilik',
  list_year: 'Dari daftar kantor tahun',
  prefix: 'Awalan NOP',
  book_limits: 'Batas buku',
  kind: 'Jenis',
  parent: 'Wilayah di atasnya',
};

const COUNTS: ReadonlySet<string> = new Set(['messages', 'deleted_messages', 'deleted_accounts']);

/** The fields of the opening hours: 'day:1' is Monday, 'holiday:2026-08-17' a date. */
function officeFieldLabel(field: string): string | null {
  if (field.startsWith('day:')) return WEEKDAY_NAMES[Number(field.slice('day:'.length)) - 1] ?? null;
  if (field.startsWith('holiday:')) return `Libur ${showDate(field.slice('holiday:'.length))}`;
  return null;
}

/** The fields of the office's list: 'block:001' is a block, 'due:2026' the due date of a tax year. */
function listFieldLabel(field: string): string | null {
  if (field.startsWith('block:')) return `Blok ${field.slice('block:'.length)}`;
  if (field.startsWith('due:')) return `Jatuh tempo ${field.slice('due:'.length)}`;
  return null;
}

function isRecordField(field: string): field is TaxRecordField {
  return Object.hasOwn(taxRecordFields, field);
}

export function auditFieldLabel(field: string): string {
  return isRecordField(field)
    ? taxRecordFields[field].auditLabel
    : (otherFieldLabels[field] ?? officeFieldLabel(field) ?? listFieldLabel(field) ?? field);
}

/** The text of a changed value; null counts as empty. */
export function formatAuditValue(field: string, value: AuditChange['from']): string {
  if (typeof value === 'boolean') return value ? 'Ya' : 'Tidak';
  if (isRecordField(field)) return formatRecordValue(field, value);
  if (value === null || value === '') return '(kosong)';
  if (field === 'rollover') return rolloverModeLabels[value as RolloverMode] ?? String(value);
  if (field === 'erasure') return erasureLabels[value as ErasureState] ?? String(value);
  if (field === 'condition') return conditionLabels[value as ObjectCondition] ?? String(value);
  if (field === 'handed_out_on' || field.startsWith('due:')) return showDate(String(value));
  if (field === 'note_written_at') return showDateTime(String(value));
  if (field === 'messages_months' || field === 'inactive_accounts_months') return termText(Number(value));
  return COUNTS.has(field) ? formatNumber(Number(value)) : emailText(String(value));
}

/** The changes to show: for a creation or deletion only fields with a value, for an edit all. */
export function relevantChanges({ action, changes }: AuditEntry): AuditChange[] {
  if (action.endsWith('.updated') || action.startsWith('conversation.')) return changes;
  return changes.filter(({ from, to }) => (from ?? to) !== null && (from ?? to) !== '');
}

/** Whether an entry has one value per field, and not one before and one after. */
export function isCreationOrDeletion({ action }: AuditEntry): boolean {
  return action.endsWith('.created') || action.endsWith('.deleted');
}

const checkResults: Record<string, string> = { matched: 'Cocok', rejected: 'Tidak cocok' };

/** The result of a check, or the one that an undo took back: 'Tidak cocok: Foto buram'; null for another entry. */
export function checkSentence({ action, changes }: AuditEntry): string | null {
  if (action !== 'record.checked' && action !== 'record.check_undone') return null;
  const isUndo = action === 'record.check_undone';
  const valueOf = (name: string): string => {
    const change = changes.find(({ field }) => field === name);
    return String((isUndo ? change?.from : change?.to) ?? '');
  };
  const result = checkResults[valueOf('verification')] ?? '';
  const reason = valueOf('verification_reason');
  // The status that the same act gave the record; its other changes stand in the entry, too.
  const marked = changes.find(({ field }) => field === 'status');
  const status = marked ? `, ${isUndo ? 'kembali' : 'menjadi'} ${formatRecordValue('status', marked.to)}` : '';
  const date = isUndo ? '' : valueOf('payment_date');
  const paid = date && marked ? `, dibayar ${showDate(date)}` : '';
  return `${isUndo ? 'sebelumnya ' : ''}${result}${reason ? `: ${reason}` : ''}${status}${paid}`;
}

/** The phrase for an automatic copy, in place of actor and action; null for another entry (R-YEAR-16). */
export function automaticPhrase({ changes }: AuditEntry): string | null {
  const source = changes.find(({ field }) => field === 'automatic_from_year');
  return source ? `data PBB dibuat otomatis dari data tahun ${source.to}` : null;
}
