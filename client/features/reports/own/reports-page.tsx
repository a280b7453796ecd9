import { NativeSelect, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconChartPie, IconListDetails } from '@tabler/icons-react';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { REPORT_PERIODS, type ReportPeriod } from '#shared/domain/dates/dates.ts';
import { periodLabels } from '#shared/texts.ts';
import { propertyQuery, summaryQuery } from './api.ts';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import { ReportPrintHeading } from '../frame/report-print-heading.tsx';
import { PropertyPanel } from './property-panel.tsx';
import { ReportActions } from '../frame/report-actions.tsx';
import { ShareBars } from './share-bars.tsx';
import { SummaryPanel } from './summary-panel.tsx';
import {
  ownReportHead,
  periodSentence,
  propertyReport,
  type ReportContext,
  summaryReport,
  tabTitles,
  NO_OFFICIAL_PROOF,
} from './own-reports.ts';
import classes from './reports.module.css';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import { useSearchParams } from 'react-router-dom';

/** On narrower screens the figures come first and the exports last. */
const ACTIONS_ABOVE_EM = 48;
/** As in reports.module.css. */
const SHARES_BESIDE_EM = 88;

/** /reports: the own totals of a period, on screen, in print and as files (R-REPORT-4). */
export function ReportsPage() {
  usePageTitle('Laporan');
  const { period, tab, setPeriod, setTab } = useReportParams();
  const { printTimeMs: nowMs } = usePrinting();
  const userName = useSession()?.user?.name ?? '-';

  const isWide = useWideScreen(ACTIONS_ABOVE_EM);
  const hasSpaceForShares = useWideScreen(SHARES_BESIDE_EM);
  // Both queries stand here, because a panel is unmounted with its tab and the page keeps the data of both (R-REPORT-5).
  const summary = useQuery({ ...summaryQuery(period), enabled: tab === 'ringkasan' });
  const property = useQuery({ ...propertyQuery(period), enabled: tab === 'properti' || hasSpaceForShares });
  const shownQuery = tab === 'ringkasan' ? summary : property;

  function createReport() {
    const context: ReportContext = { period, userName, nowMs: Date.now() };
    if (tab === 'ringkasan') return summary.data ? summaryReport(summary.data, context) : null;
    return property.data ? propertyReport(property.data, context) : null;
  }

  const actions = (
    <ReportActions status={shownQuery.data ? 'success' : shownQuery.status} createReport={createReport} />
  );
  return (
    <>
      <div className="no-print">
        <PageHeader
          title="Laporan"
          description="Ringkasan data PBB Anda menurut waktu pencatatannya."
          actions={isWide ? actions : undefined}
        />
        <NativeSelect
          label="Periode"
          description={periodSentence(period, nowMs)}
          inputWrapperOrder={['label', 'input', 'description']}
          value={period}
          onChange={(event) => setPeriod(event.currentTarget.value)}
          data={REPORT_PERIODS.map((value) => ({ value, label: periodLabels[value] }))}
          className={classes['period'] ?? ''}
        />
      </div>
      <ReportPrintHeading title={tabTitles[tab]} head={ownReportHead({ period, userName, nowMs })} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List className={`no-print ${classes['tabs']}`} aria-label="Bagian laporan">
          <Tabs.Tab fz="md" value="ringkasan" leftSection={<IconListDetails size={18} aria-hidden />}>
            Ringkasan
          </Tabs.Tab>
          <Tabs.Tab fz="md" value="properti" leftSection={<IconChartPie size={18} aria-hidden />}>
            Jenis Properti
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ringkasan" pt={{ base: 'sm', sm: 'lg' }}>
          <SummaryPanel
            query={summary}
            shares={hasSpaceForShares && property.data?.length ? <ShareBars shares={property.data} /> : null}
          />
        </Tabs.Panel>
        <Tabs.Panel value="properti" pt={{ base: 'sm', sm: 'lg' }}>
          <PropertyPanel query={property} />
        </Tabs.Panel>
      </Tabs>
      <Text className="print-only" fz="sm" fs="italic" mt="xs">
        {NO_OFFICIAL_PROOF}
      </Text>
      {isWide ? null : <div className={`${classes['actionsBelow']} no-print`}>{actions}</div>}
    </>
  );
}

export const REPORT_TABS = ['ringkasan', 'properti'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

const DEFAULT_PERIOD: ReportPeriod = 'this_year';
const DEFAULT_TAB: ReportTab = 'ringkasan';

function oneOfOrDefault<T extends string>(allowed: readonly T[], value: string | null, defaultValue: T): T {
  return allowed.find((candidate) => candidate === value) ?? defaultValue;
}

/** Period and tab, kept in the URL: back, reload and a shared link show the same. An unknown value means the default. */
function useReportParams() {
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
