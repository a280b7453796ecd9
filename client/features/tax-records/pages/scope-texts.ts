import { errorTexts, fieldTexts } from '#shared/texts.ts';
import type { RecordScope } from '../scope.ts';

type ScopeTexts = {
  loadFailed: string;
  missingTitle: string;
  missing: string;
  missingDescription: string;
  /** The notice for text in the URL that cannot be an id. */
  invalidId: { title: string; toast: string };
  remove: { title: string; question: string; failed: string; done: string };
  create: { title: string; description: string; done: string };
  edit: { title: string; description: string; incomplete: string; failed: string; done: string };
};

/** The texts in which the pages of users and admins differ (R-REC-10 to R-REC-24). */
export const scopeTexts: Record<RecordScope, ScopeTexts> = {
  own: {
    loadFailed: 'Gagal memuat data PBB',
    missingTitle: 'Data PBB Tidak Ditemukan',
    missing: errorTexts.recordMissing,
    missingDescription: 'Data ini tidak ada, atau bukan milik akun Anda.',
    invalidId: { title: 'ID Data Tidak Valid', toast: 'ID data tidak valid' },
    remove: {
      title: 'Hapus Data PBB',
      question: 'Apakah Anda yakin ingin menghapus data PBB ini?',
      failed: 'Gagal menghapus data PBB',
      done: 'Data PBB berhasil dihapus',
    },
    create: {
      title: 'Tambah Data PBB',
      description: 'Isilah kolom bertanda * sesuai SPPT Anda.',
      done: 'Data PBB berhasil ditambahkan!',
    },
    edit: {
      title: 'Edit Data PBB',
      description: 'Isilah kolom bertanda * sesuai SPPT Anda.',
      incomplete: fieldTexts.userEditIncomplete,
      failed: 'Gagal memperbarui data PBB',
      done: 'Data PBB berhasil diperbarui',
    },
  },
  admin: {
    loadFailed: 'Gagal memuat data pajak',
    missingTitle: 'Data Pajak Tidak Ditemukan',
    missing: errorTexts.adminRecordMissing,
    missingDescription: 'Yang pernah terjadi dengannya tetap tercatat di riwayat perubahan.',
    invalidId: { title: 'Data Pajak Tidak Ditemukan', toast: errorTexts.adminRecordMissing },
    remove: {
      title: 'Hapus Data PBB',
      question: 'Apakah Anda yakin ingin menghapus data PBB ini? Tindakan ini tidak dapat dibatalkan.',
      failed: 'Gagal menghapus data PBB',
      done: 'Data PBB berhasil dihapus',
    },
    create: {
      title: 'Tambah Data Pajak (Admin)',
      description: 'Mencatat PBB atas nama seorang warga.',
      done: 'Data pajak berhasil ditambahkan',
    },
    edit: {
      title: 'Edit Data Pajak',
      description: 'Kolom bertanda * wajib diisi.',
      incomplete: fieldTexts.adminEditIncomplete,
      failed: 'Gagal memperbarui data pajak',
      done: 'Data pajak berhasil diperbarui',
    },
  },
};
