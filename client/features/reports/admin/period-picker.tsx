import { NativeSelect } from '@mantine/core';
import { showDate } from '#client/lib/format.ts';
import { DateField } from '#client/ui/form/date-field.tsx';
import { fieldTexts } from '#shared/texts.ts';
import type { DateRange } from '#shared/domain/dates.ts';
import { useState } from 'react';
import classes from './overview.module.css';
import { presetOptions } from '../frame/presets.ts';
import { CUSTOM_PERIOD, type OverviewPeriod } from './use-overview-period.ts';

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
