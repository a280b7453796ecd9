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
  'backup.started': 'Pencadangan dimulai',
  'backup.downloaded': 'Cadangan diunduh',
};
