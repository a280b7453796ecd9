import { paths } from '#client/paths.ts';
import type { FirstStep } from '#shared/domain/office/first-steps.ts';

/** The texts of each first step, and the page on which it is done (docs/requirements.md R-OFFICE-13). */
export const firstStepTexts: Record<FirstStep, { label: string; detail: string; to: string }> = {
  identity: {
    label: 'Beri nama kantor',
    detail: 'Nama, alamat, dan telepon kantor di layar dan kertas',
    to: paths.adminOfficeIdentity,
  },
  hours: {
    label: 'Isi jam layanan',
    detail: 'Warga tahu kapan pesannya dibalas',
    to: paths.adminOfficeHours,
  },
  user_years: {
    label: 'Pilih tahun pajak warga',
    detail: 'Tahun SPPT yang dapat diisi warga',
    to: paths.adminTaxYears,
  },
  quick_replies: {
    label: 'Impor contoh balasan cepat',
    detail: 'Sepuluh jawaban siap pakai untuk chat',
    to: paths.quickReplies,
  },
  second_backup: {
    label: 'Pasang folder cadangan kedua',
    detail: 'Salinan di disk lain, bila disk server rusak',
    to: paths.adminBackups,
  },
  qr_sheet: {
    label: 'Cetak lembar QR',
    detail: 'Warga membuka aplikasi dengan kamera HP',
    to: paths.adminAddresses,
  },
  password: {
    label: 'Ganti password Anda',
    detail: 'Hanya Anda yang tahu password baru itu',
    to: paths.adminAccount,
  },
};
