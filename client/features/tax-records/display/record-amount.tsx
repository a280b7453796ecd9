import { Text } from '@mantine/core';
import { Money } from '#client/ui/data/money.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { ESTIMATE_LABEL, OFFICE_LABEL } from '#shared/rollover-texts.ts';

/** In a narrow column it goes on in the next line before the bracket, not within it. */
const estimate = ESTIMATE_LABEL.replace('(naik 10 %)', '(naik\u00A010\u00A0%)');

type Props = {
  record: Pick<TaxRecord, 'amount' | 'amount_source'>;
  className?: string;
  /** Whether an amount of the office's list is named, too. */
  namesOffice?: boolean;
};

/** The amount of a record. One that no SPPT states says so (R-YEAR-19). */
export function RecordAmount({
  record: { amount, amount_source: source },
  className = '',
  namesOffice = false,
}: Props) {
  return (
    <>
      <Money amount={amount} className={className} />
      {source === 'estimate' ? (
        <Text component="span" display="block" c="var(--mantine-color-yellow-light-color)" fz="sm" fw={500} lh={1.3}>
          {estimate}
        </Text>
      ) : null}
      {source === 'office' && namesOffice ? (
        <Text component="span" display="block" c="dimmed" fz="sm" fw={500} lh={1.3}>
          {OFFICE_LABEL}
        </Text>
      ) : null}
    </>
  );
}
