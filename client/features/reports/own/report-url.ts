import { useSearchParams } from 'react-router-dom';
import { REPORT_PERIODS, type ReportPeriod } from '#shared/domain/dates.ts';

export const REPORT_TABS = ['ringkasan', 'properti'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

const DEFAULT_PERIOD: ReportPeriod = 'this_year';
const DEFAULT_TAB: ReportTab = 'ringkasan';

function knownOr<T extends string>(known: readonly T[], value: string | null, otherwise: T): T {
  return known.find((candidate) => candidate === value) ?? otherwise;
}

/** Period and tab as the address says, so that back, reload and a shared link show the same; what makes no sense is the default. */
export function useReportUrl() {
  const [params, setParams] = useSearchParams();

  function set(name: 'periode' | 'tab', value: string): void {
    setParams((current) => {
      const next = new URLSearchParams(current);
      next.set(name, value);
      return next;
    });
  }

  return {
    period: knownOr(REPORT_PERIODS, params.get('periode'), DEFAULT_PERIOD),
    tab: knownOr(REPORT_TABS, params.get('tab'), DEFAULT_TAB),
    setPeriod: (value: string) => set('periode', knownOr(REPORT_PERIODS, value, DEFAULT_PERIOD)),
    setTab: (value: string | null) => set('tab', knownOr(REPORT_TABS, value, DEFAULT_TAB)),
  };
}
