import { choicePart, datePart, keysOf, textPart, type UrlParts } from '#client/ui/list/filter/url-filter.ts';
import type { AuditAction } from '#shared/api/audit.ts';

/** The actions in the filter. */
export const auditActionLabels: Record<AuditAction, string> = {
  'record.created': 'Data PBB ditambahkan',
  'record.updated': 'Data PBB diubah',
  'record.deleted': 'Data PBB dihapus',
  'record.checked': 'Laporan dicocokkan',
  'record.check_undone': 'Pencocokan dibatalkan',
  'user.created': 'Akun dibuat',
  'user.updated': 'Akun diubah',
  'user.deleted': 'Akun dihapus',
  'password.changed': 'Password diganti',
  'conversation.deleted': 'Riwayat chat dihapus',
  'note.deleted': 'Catatan internal dihapus',
  'conversation.taken': 'Percakapan diambil alih',
  'office.updated': 'Jam layanan diubah',
  'settings.identity': 'Identitas kantor diubah',
  'settings.records': 'Pengaturan data PBB diubah',
  'settings.retention': 'Masa simpan diubah',
  'retention.ran': 'Masa simpan dijalankan',
  'backup.started': 'Pencadangan dimulai',
  'backup.downloaded': 'Cadangan diunduh',
  'dhkp.applied': 'Impor daftar diterapkan',
  'dhkp.reverted': 'Impor daftar dibatalkan',
  'dhkp.changed': 'Daftar objek diubah',
  'dhkp.linked': 'Objek dihubungkan',
  'dhkp.unlinked': 'Hubungan objek diputus',
  'claim.approved': 'Permintaan objek disetujui',
  'claim.rejected': 'Permintaan objek ditolak',
  'area.created': 'Wilayah ditambahkan',
  'area.updated': 'Wilayah diubah',
  'user.recovery_code': 'Kode masuk',
  'user.card': 'Kartu warga',
  'user.second_factor': 'Kode kedua',
  'user.erasure': 'Permintaan hapus akun',
  'area.deleted': 'Wilayah dihapus',
};

/** '' means all. `from` and `to` are days, yyyy-mm-dd; both belong to the range. */
export type AuditFilter = { search: string; action: AuditAction | ''; actor_id: string; from: string; to: string };

export const auditFilterParts: UrlParts<AuditFilter> = {
  search: textPart('cari'),
  action: choicePart('tindakan', keysOf(auditActionLabels)),
  actor_id: textPart('orang'),
  from: datePart('dari'),
  to: datePart('sampai'),
};
