import type { OfficePeriod } from '#shared/domain/dates/dates.ts';

/** The periods of the reports for admins, as their URLs name them. */
export const presets = {
  'minggu-ini': { period: 'this_week', label: 'Minggu ini' },
  'minggu-lalu': { period: 'last_week', label: 'Minggu lalu' },
  '7-hari': { period: 'last_7_days', label: '7 hari terakhir' },
  'bulan-ini': { period: 'this_month', label: 'Bulan ini' },
  'bulan-lalu': { period: 'last_month', label: 'Bulan lalu' },
  'triwulan-ini': { period: 'this_quarter', label: 'Triwulan ini' },
  'tahun-ini': { period: 'this_year', label: 'Tahun ini' },
  'tahun-lalu': { period: 'last_year', label: 'Tahun lalu' },
} as const satisfies Record<string, { period: OfficePeriod; label: string }>;

export type Preset = keyof typeof presets;

/** @returns the preset that a URL names, or null */
export const findPreset = (name: string | null): Preset | null =>
  name !== null && Object.hasOwn(presets, name) ? (name as Preset) : null;

export const presetOptions = Object.entries(presets).map(([value, { label }]) => ({ value, label }));
