import { NativeSelect } from '@mantine/core';
import { showDate, SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { fieldTexts } from '#shared/texts.ts';
import { type DateRange, parseCalendarDate, reportRange } from '#shared/domain/dates/dates.ts';
import { useState } from 'react';
import classes from './overview.module.css';
import { presetOptions, findPreset, type Preset, presets } from '../frame/presets.ts';
import { useSearchParams } from 'react-router-dom';

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

const options = [...presetOptions, { value: CUSTOM_PERIOD, label: 'Pilih tanggal' }];

type Props = {
  period: OverviewPeriod;
  onChoose: (choice: string) => void;
  onDates: (dates: DateRange) => void;
};

/** The period of the report: a preset, or two dates. */
export function PeriodPicker({ period, onChoose, onDates }: Props) {
  return (
    <div className={`${classes['picker']} no-print`}>
      <NativeSelect
        label="Periode"
        description={`${showDate(period.fromDate)} – ${showDate(period.toDate)}`}
        inputWrapperOrder={['label', 'input', 'description']}
        value={period.choice}
        onChange={(event) => onChoose(event.currentTarget.value)}
        data={options}
      />
      {period.choice === CUSTOM_PERIOD ? <CustomDates period={period} onDates={onDates} /> : null}
    </div>
  );
}

/** Reports a range only when both dates are there and in order. */
function CustomDates({ period, onDates }: Pick<Props, 'period' | 'onDates'>) {
  const [from, setFrom] = useState<string | null>(period.fromDate);
  const [to, setTo] = useState<string | null>(period.toDate);

  function change(nextFrom: string | null, nextTo: string | null): void {
    setFrom(nextFrom);
    setTo(nextTo);
    if (nextFrom && nextTo && nextFrom <= nextTo) onDates({ fromDate: nextFrom, toDate: nextTo });
  }

  return (
    <>
      <DateField label="Dari tanggal" example={null} value={from} onChange={(date) => change(date, to)} />
      <DateField
        label="Sampai tanggal"
        example={null}
        value={to}
        onChange={(date) => change(from, date)}
        error={from && to && from > to ? fieldTexts.periodOrder : undefined}
      />
    </>
  );
}
