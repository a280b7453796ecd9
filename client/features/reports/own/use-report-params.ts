import { useSearchParams } from 'react-router-dom';
import { REPORT_PERIODS, type ReportPeriod } from '#shared/domain/dates.ts';

export const REPORT_TABS = ['ringkasan', 'properti'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

const DEFAULT_PERIOD: ReportPeriod = 'this_year';
const DEFAULT_TAB: ReportTab = 'ringkasan';

function oneOfOrDefault<T extends string>(allowed: readonly T[], value: string | null, defaultValue: T): T {
  return allowed.find((candidate) => candidate === value) ?? defaultValue;
}

/** Period and tab, kept in the URL: back, reload and a shared link show the same. An unknown value means the default. */
export function useReportParams() {
  const [params, setParams] = useSearchParams();

  function setParam(name: 'periode' | 'tab', value: string): void {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.set(name, value);
        return next;
      },
      { preventScrollReset: true },
    );
  }

  return {
    period: oneOfOrDefault(REPORT_PERIODS, params.get('periode'), DEFAULT_PERIOD),
    tab: oneOfOrDefault(REPORT_TABS, params.get('tab'), DEFAULT_TAB),
    setPeriod: (value: string) => setParam('periode', oneOfOrDefault(REPORT_PERIODS, value, DEFAULT_PERIOD)),
    setTab: (value: string | null) => setParam('tab', oneOfOrDefault(REPORT_TABS, value, DEFAULT_TAB)),
  };
}
