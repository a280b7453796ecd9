import type { PropertyType, RecordStatus } from './domain/tax-records/record-values.ts';

/** Words that the first page of users shows, apart from those that only later pages and the server need (R-UI-17). */

export const APP_NAME = 'PBB Kita';
/** 'PBB Kita · Desa Sukamaju'; the product alone while the office has no name. */
export const appNameOf = (officeName: string): string => (officeName === '' ? APP_NAME : `${APP_NAME} · ${officeName}`);

export const SESSION_ENDED = 'Sesi Anda telah berakhir. Silakan login kembali.';

export const statusLabels = { lunas: 'Lunas', belum_lunas: 'Belum Lunas', proses: 'Proses' } as const satisfies Record<
  RecordStatus,
  string
>;
/** All that is not `lunas`, in sums and as a choice; 'Belum Lunas' is the status alone (R-STAT-1). */
export const UNPAID_LABEL = 'Belum terbayar (termasuk Proses)';
export const UNKNOWN_STATUS_LABEL = 'Tidak Diketahui';

export const propertyTypeLabels = {
  rumah_tinggal: 'Rumah Tinggal',
  kantor: 'Kantor',
  gudang: 'Gudang',
  lahan_kosong: 'Lahan Kosong',
  toko: 'Toko/Ruko',
  pabrik: 'Pabrik',
} as const satisfies Record<PropertyType, string>;
export const NO_PROPERTY_TYPE_LABEL = 'Belum Ditentukan';
