import {
  type Device,
  isAndroid,
  isAppleTouch,
  isFirefox,
  isInsideOtherApp,
  isMacSafari,
} from '#client/lib/browser/device-kind.ts';
import { isInstalledApp } from '#client/lib/browser/display-mode.ts';

/** Tells in words the steps in this browser (R-PUSH-62). Pure, so that the words of each browser can be tested. */
export type Browser = Device & {
  /** Opened from the icon on the home screen. */
  isInstalled: boolean;
};

export function currentBrowser(): Browser {
  const { userAgent, maxTouchPoints } = navigator;
  return { userAgent, maxTouchPoints, isInstalled: isInstalledApp() };
}

/** The steps to permit notifications that this person has blocked before. */
export function howToAllow(browser: Browser): string {
  if (isAppleTouch(browser)) {
    return 'Buka Pengaturan di iPhone atau iPad, pilih Notifikasi, lalu PBB Kita, dan izinkan. Setelah itu nyalakan di sini.';
  }
  if (isAndroid(browser) && browser.isInstalled) {
    return 'Tekan lama ikon PBB Kita, pilih Info aplikasi, lalu Notifikasi, dan izinkan. Setelah itu nyalakan di sini.';
  }
  if (isAndroid(browser)) {
    return 'Tekan ikon di sebelah kiri alamat situs, pilih Izin, lalu izinkan Notifikasi. Setelah itu nyalakan di sini.';
  }
  if (isFirefox(browser)) {
    return 'Tekan ikon di sebelah kiri alamat situs, hapus tanda blokir pada Kirim Notifikasi, muat ulang halaman ini, lalu nyalakan di sini.';
  }
  if (isMacSafari(browser)) {
    return 'Buka menu Safari, Pengaturan, Situs Web, Notifikasi, lalu izinkan alamat ini. Setelah itu nyalakan di sini.';
  }
  return 'Tekan ikon di sebelah kiri alamat situs, izinkan Notifikasi, lalu nyalakan di sini.';
}

/** Why this browser has no notifications at all, and what to use instead. */
export function whyMissing(browser: Browser): string {
  if (isInsideOtherApp(browser)) {
    const name = isAppleTouch(browser) ? 'Safari' : 'Chrome';
    return `Halaman ini dibuka di dalam aplikasi lain. Buka menunya, pilih Buka di ${name}, lalu nyalakan di sana.`;
  }
  if (isAppleTouch(browser)) {
    return 'Notifikasi memerlukan iOS 16.4 atau yang lebih baru. Perbarui di Pengaturan, Umum, Pembaruan Perangkat Lunak.';
  }
  return 'Peramban ini tidak mendukungnya, atau jendela ini jendela samaran. Gunakan jendela biasa di Chrome, Edge, atau Firefox versi baru.';
}

/** On iOS only an app on the home screen gets notifications. */
export const INSTALL_FIRST =
  'Di iPhone dan iPad, notifikasi hanya datang ke aplikasi di layar utama. Tekan Bagikan, pilih Tambah ke Layar Utama, buka PBB Kita dari ikonnya, lalu nyalakan di sana.';

/** The reason why notifications come late on this kind of device though everything is on. */
export function whenItIsLate(browser: Browser): string {
  if (isAppleTouch(browser)) {
    return 'Periksa mode Fokus atau Jangan Ganggu, dan Pengaturan, Notifikasi, PBB Kita. Jika ikonnya dihapus dari layar utama, notifikasi ikut berhenti.';
  }
  if (isAndroid(browser)) {
    return 'Periksa mode Jangan Ganggu, dan keluarkan peramban dari penghemat baterai di Setelan ponsel.';
  }
  return 'Periksa mode Jangan Ganggu komputer ini. Di komputer, peramban harus tetap berjalan.';
}
