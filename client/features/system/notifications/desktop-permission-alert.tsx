import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import type { DesktopPermission } from './desktop-permission.ts';

const STILL_WORKING = 'Bunyi, tanda di judul tab, dan angka pesan di menu tetap berfungsi.';

const permissionAlerts = {
  insecure: {
    message: 'Notifikasi desktop memerlukan alamat https',
    hint: `Halaman ini dibuka lewat http, dan peramban hanya mengizinkan notifikasi desktop dan notifikasi saat aplikasi tertutup di alamat https. ${STILL_WORKING}`,
  },
  missing: {
    message: 'Peramban ini tidak mendukung notifikasi desktop',
    hint: `Gunakan peramban lain untuk menerimanya. ${STILL_WORKING}`,
  },
  denied: {
    message: 'Peramban ini memblokir notifikasi dari PBB Kita',
    hint: `Tekan ikon di sebelah kiri alamat situs, izinkan Notifikasi, lalu nyalakan lagi di sini. ${STILL_WORKING}`,
  },
  notGranted: {
    message: 'Izin notifikasi desktop belum diberikan di peramban ini',
    hint: 'Nyalakan lagi untuk meminta izin.',
  },
} as const;

/** Why desktop notifications do not work, what to do, and what works without them. */
export function DesktopPermissionAlert({
  permission,
  isEnabled,
}: {
  permission: DesktopPermission;
  isEnabled: boolean;
}) {
  if (permission === 'granted') return null;
  if (permission === 'default') return isEnabled ? <FormAlert kind="warning" {...permissionAlerts.notGranted} /> : null;
  return <FormAlert kind={permission === 'denied' ? 'warning' : 'info'} {...permissionAlerts[permission]} />;
}
