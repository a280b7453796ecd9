import { Money } from '#client/ui/data/money.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { ESTIMATE_LABEL } from '#shared/rollover-texts.ts';
import classes from './record-amount.module.css';

type Props = { record: Pick<TaxRecord, 'amount' | 'amount_source'>; className?: string };

/** The amount of a record. One that no SPPT states says so (R-YEAR-19). */
export function RecordAmount({ record: { amount, amount_source: source }, className = '' }: Props) {
  return (
    <>
      <Money amount={amount} className={className} />
      {source === 'estimate' ? <span className={classes['estimate']}>{ESTIMATE_LABEL}</span> : null}
    </>
  );
}
