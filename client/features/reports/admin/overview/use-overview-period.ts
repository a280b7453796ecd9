import { useSearchParams } from 'react-router-dom';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { type DateRange, parseCalendarDate, type OfficePeriod, reportRange } from '#shared/domain/dates.ts';

/** The presets as the URL names them. */
export const overviewPresets = {
  'minggu-ini': { period: 'this_week', label: 'Minggu ini' },
  'minggu-lalu': { period: 'last_week', label: 'Minggu lalu' },
  '7-hari': { period: 'last_7_days', label: '7 hari terakhir' },
  'bulan-ini': { period: 'this_month', label: 'Bulan ini' },
  'bulan-lalu': { period: 'last_month', label: 'Bulan lalu' },
  'triwulan-ini': { period: 'this_quarter', label: 'Triwulan ini' },
  'tahun-ini': { period: 'this_year', label: 'Tahun ini' },
  'tahun-lalu': { period: 'last_year', label: 'Tahun lalu' },
} as const satisfies Record<string, { period: OfficePeriod; label: string }>;

export const CUSTOM_PERIOD = 'pilih';
const DEFAULT_PRESET = 'tahun-ini';

type Preset = keyof typeof overviewPresets;
export type OverviewPeriod = DateRange & { choice: Preset | typeof CUSTOM_PERIOD };

function isPreset(value: string | null): value is Preset {
  return value !== null && Object.hasOwn(overviewPresets, value);
}

/** The period in the URL: a preset, or two dates. What is no period counts as the default. */
export function readOverviewPeriod(params: URLSearchParams, nowMs: number): OverviewPeriod {
  const choice = params.get('periode');
  const fromDate = parseCalendarDate(params.get('dari'));
  const toDate = parseCalendarDate(params.get('sampai'));
  if (choice === CUSTOM_PERIOD && fromDate && toDate && fromDate <= toDate) return { choice, fromDate, toDate };
  const preset = isPreset(choice) ? choice : DEFAULT_PRESET;
  const range = reportRange(overviewPresets[preset].period, SERVER_TIME_ZONE, nowMs);
  return { choice: choice === CUSTOM_PERIOD ? choice : preset, fromDate: range.fromDate, toDate: range.toDate };
}

export function useOverviewPeriod(nowMs: number) {
  const [params, setParams] = useSearchParams();
  const period = readOverviewPeriod(params, nowMs);

  return {
    period,
    choose: (choice: string): void => {
      setParams(
        choice === CUSTOM_PERIOD
          ? { periode: choice, dari: period.fromDate, sampai: period.toDate }
          : { periode: choice },
        { preventScrollReset: true },
      );
    },
    chooseDates: ({ fromDate, toDate }: DateRange): void => {
      setParams(
        { periode: CUSTOM_PERIOD, dari: fromDate, sampai: toDate },
        { replace: true, preventScrollReset: true },
      );
    },
  };
}
