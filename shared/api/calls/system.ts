import { errorTexts } from '../../texts.ts';
import {
  backupsAnswer,
  certificateRetryAnswer,
  downloadAnswer,
  downloadBody,
  systemAnswer,
  systemTexts,
} from '../system.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Sistem' } as const;

export const systemCalls = {
  'GET /admin/system': { ...admin, summary: 'Informasi sistem', answer: systemAnswer },
  'POST /admin/system/certificate/retry': {
    ...admin,
    summary: 'Meminta sertifikat alamat publik lagi sekarang, setelah gagal',
    description:
      'Tidak menunggu hasilnya: selama certificate.issuing bernilai true, GET /api/admin/system dibaca lagi. Dihitung dalam lima permintaan sejam.',
    answer: certificateRetryAnswer,
    errors: { 409: systemTexts.certificateFine, 429: systemTexts.certificateTooEarly(40) },
  },
  'GET /admin/backups': { ...admin, summary: 'Daftar cadangan, terbaru lebih dulu', answer: backupsAnswer },
  'POST /admin/backups': {
    ...admin,
    summary: 'Mencadangkan sekarang',
    description: 'Tidak menunggu sampai selesai; kemajuannya ada di status.running.',
    answer: backupsAnswer,
    errors: { 409: systemTexts.backupRunning },
  },
  'POST /admin/backups/running-copy': {
    ...admin,
    summary: 'Memulai salinan berjalan baru di folder yang kosong',
    description:
      'Hanya bila status.running_copy.reason bernilai "emptied": sudah pernah ada salinan, tetapi foldernya kosong, misalnya karena disk diganti. Tidak menunggu sampai selesai.',
    answer: backupsAnswer,
    errors: { 409: systemTexts.copyNotEmptied },
  },
  'POST /admin/backups/{name}/download': {
    ...admin,
    summary: 'Meminta tautan unduhan sebuah cadangan',
    description: 'Memerlukan password sendiri. Tautannya berlaku sepuluh menit, untuk sesi ini saja.',
    body: downloadBody,
    answer: downloadAnswer,
    errors: { 404: systemTexts.backupMissing, 422: systemTexts.passwordWrong, 429: errorTexts.rateLimited(900) },
  },
  'GET /admin/backup-files/{ticket}': {
    // The ticket in the path says which session asked for it; the browser downloads the file by its URL alone.
    access: 'public',
    tag: 'Sistem',
    summary: 'Mengunduh sebuah cadangan',
    description: 'Alamatnya diminta dengan password; tidak memerlukan header.',
    fileTypes: ['application/x-tar'],
  },
} satisfies Calls;
