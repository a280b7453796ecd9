import { useSearchParams } from 'react-router-dom';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { type DateRange, parseCalendarDate, reportRange } from '#shared/domain/dates.ts';
import { findPreset, type Preset, presets } from '../frame/presets.ts';

export const CUSTOM_PERIOD = 'pilih';
const DEFAULT_PRESET = 'tahun-ini';

export type OverviewPeriod = DateRange & { choice: Preset | typeof CUSTOM_PERIOD };

/** The period in the URL: a preset, or two dates. What is no period counts as the default. */
export function readOverviewPeriod(params: URLSearchParams, nowMs: number): OverviewPeriod {
  const choice = params.get('periode');
  const fromDate = parseCalendarDate(params.get('dari'));
  const toDate = parseCalendarDate(params.get('sampai'));
  if (choice === CUSTOM_PERIOD && fromDate && toDate && fromDate <= toDate) return { choice, fromDate, toDate };
  const preset = findPreset(choice) ?? DEFAULT_PRESET;
  const range = reportRange(presets[preset].period, SERVER_TIME_ZONE, nowMs);
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
