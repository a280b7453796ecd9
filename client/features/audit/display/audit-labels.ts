import { formatNumber, formatRupiah, showDate } from '#client/lib/format.ts';
import { propertyLabel, statusLabel } from '#client/features/tax-records/display/record-labels.ts';
import type { AuditAction, AuditChange, AuditEntry } from '#shared/api/audit.ts';

/** What somebody did, as the end of a sentence that begins with their name. */
export const auditActionPhrases: Record<AuditAction, string> = {
  'record.created': 'menambahkan data pajak',
  'record.updated': 'mengubah data pajak',
  'record.deleted': 'menghapus data pajak',
  'user.created': 'membuat akun',
  'user.updated': 'mengubah akun',
  'user.deleted': 'menghapus akun',
  'password.changed': 'mengganti kata sandi',
  'conversation.deleted': 'menghapus riwayat chat',
  'backup.started': 'memulai pencadangan',
  'backup.downloaded': 'mengunduh cadangan',
};

const auditFieldLabels: Record<string, string> = {
  name: 'Nama',
  address: 'Alamat',
  tax_type: 'Jenis pajak',
  property_type: 'Jenis properti',
  spt_number: 'Nomor SPT',
  year: 'Tahun',
  amount: 'Jumlah',
  description: 'Deskripsi',
  status: 'Status',
  due_date: 'Jatuh tempo',
  payment_date: 'Tanggal pembayaran',
  notes: 'Catatan',
  payment_proof: 'Bukti pembayaran',
  email: 'Email',
  is_admin: 'Hak akses admin',
  is_active: 'Akun aktif',
  messages: 'Jumlah pesan',
};

export function auditFieldLabel(field: string): string {
  return auditFieldLabels[field] ?? field;
}

/** A value of a change in words; null is nothing. */
export function formatAuditValue(field: string, value: AuditChange['from']): string {
  if (value === null || value === '') return field === 'property_type' ? propertyLabel(null) : '(kosong)';
  if (typeof value === 'boolean') return value ? 'Ya' : 'Tidak';
  if (field === 'amount') return formatRupiah(Number(value));
  if (field === 'status') return statusLabel(String(value));
  if (field === 'property_type') return propertyLabel(String(value));
  if (field === 'due_date' || field === 'payment_date') return showDate(String(value));
  if (field === 'messages') return formatNumber(Number(value));
  return String(value);
}

/** What is worth telling: of something new what it has, of something gone what it had, of an edit everything. */
export function relevantChanges({ action, changes }: AuditEntry): AuditChange[] {
  if (action.endsWith('.updated') || action.startsWith('conversation.')) return changes;
  return changes.filter(({ from, to }) => (from ?? to) !== null && (from ?? to) !== '');
}

/** Whether the values stand for themselves, without a before or an after. */
export function isCreationOrDeletion({ action }: AuditEntry): boolean {
  return action.endsWith('.created') || action.endsWith('.deleted');
}
