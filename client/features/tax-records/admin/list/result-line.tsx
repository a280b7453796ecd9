import { Button, Text } from '@mantine/core';
import { IconFilterOff, IconX } from '@tabler/icons-react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { type AdminRecordFilter, noAdminRecordFilter, type SummedRecordPage } from '../../api.ts';
import { CheckedLine } from '../../display/checked-line.tsx';
import { activeFilterParts } from '../../export/record-document.ts';
import { LastChangeLine } from './last-change-line.tsx';
import { hasActiveFilter } from './use-list-params.ts';
import classes from './result-line.module.css';

type Props = {
  recordPage: SummedRecordPage | undefined;
  filter: AdminRecordFilter;
  onChange: (part: Partial<AdminRecordFilter>) => void;
  onClear: () => void;
};

/** Only a paid record has a day of payment. */
const isPaidSum = ({ status, payment_from, payment_to }: AdminRecordFilter): boolean =>
  status === 'lunas' || payment_from !== '' || payment_to !== '';
/** A list of one part is named by its filter. */
const hasParts = (filter: AdminRecordFilter): boolean => isPaidSum(filter) && filter.verification === '';

/** How many records the filter finds and their sum, and each filter with a button that removes it. */
export function ResultLine({ recordPage, filter, onChange, onClear }: Props) {
  const parts = activeFilterParts(filter, recordPage?.data[0]?.user.name);
  return (
    <div className={`no-print ${classes['line']}`}>
      {recordPage ? (
        <Text component="output" display="block" fw={600} className="tabular">
          {formatNumber(recordPage.total)} data · <Money amount={recordPage.total_amount} />
          {recordPage.estimated.count > 0 ? `, ${estimatedText(recordPage.estimated)}` : null}
        </Text>
      ) : null}
      {parts.map(({ label, value, keys }) => (
        <Button
          key={label}
          variant="light"
          className={classes['chip'] ?? ''}
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Hapus filter ${label}: ${value}`}
          onClick={() => onChange(Object.fromEntries(keys.map((key) => [key, noAdminRecordFilter[key]])))}
        >
          {label}: {value}
        </Button>
      ))}
      {hasActiveFilter(filter) ? (
        <Button
          variant="subtle"
          color="gray"
          className={classes['chip'] ?? ''}
          leftSection={<IconFilterOff size={16} aria-hidden />}
          aria-label="Bersihkan filter (Clear)"
          onClick={onClear}
        >
          Bersihkan
        </Button>
      ) : null}
      <LastChangeLine />
      {recordPage && hasParts(filter) ? (
        <div className={classes['checked']}>
          <CheckedLine checked={recordPage.checked} where={{ ...filter, sort: '' }} />
        </div>
      ) : null}
    </div>
  );
}
