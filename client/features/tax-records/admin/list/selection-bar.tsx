import { Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { SelectionBar } from '#client/ui/list/rows/selection-bar.tsx';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { matchedTogetherText } from '../../display/mark-paid/mark-paid.ts';
import { PaymentDateField, STTS_DATE_LABEL } from '../../display/payment-date-field.tsx';
import classes from '#client/ui/list/rows/selection-bar.module.css';

type Props = {
  records: readonly TaxRecord[];
  /** The number of found records, while more of them can be selected; null otherwise. */
  selectableTotal: number | null;
  isLoadingAll: boolean;
  busy: boolean;
  onSelectAll: () => void;
  /** One for all records that become paid; begins empty. */
  date: string | null;
  dateError: string | undefined;
  onDate: (date: string | null) => void;
  onMarkPaid: () => void;
  onUnmarkPaid: () => void;
  onClear: () => void;
  /** Further actions. */
  children: ReactNode;
};

/** The selected records and their actions. All results can be selected as long as one answer of the server holds them. */
export function RecordSelectionBar(props: Props) {
  const { records, selectableTotal, isLoadingAll, busy, children } = props;
  const { date, dateError, onDate, onSelectAll, onMarkPaid, onUnmarkPaid, onClear } = props;
  const form = useRef<HTMLFormElement>(null);
  const matchedTogether = matchedTogetherText(records);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (focusInvalidDate(form.current)) return;
    if (date === null) form.current?.querySelector('input')?.focus({ preventScroll: true });
    onMarkPaid();
  }

  return (
    <SelectionBar
      label="Data yang dipilih"
      summary={
        <>
          <strong>{formatNumber(records.length)} dipilih</strong>
          {' · '}
          <Money amount={totalAmount(records)} />
        </>
      }
      note={
        matchedTogether === null ? null : (
          <Text fz="sm" c="dimmed">
            Dengan Tandai Lunas {matchedTogether}.
          </Text>
        )
      }
      selectableTotal={selectableTotal}
      selectAllMax={ADMIN_RECORDS_MAX}
      rowsWord="data"
      isLoadingAll={isLoadingAll}
      onSelectAll={onSelectAll}
      onClear={onClear}
    >
      <form ref={form} noValidate className={classes['mark']} onSubmit={submit}>
        <PaymentDateField
          label={STTS_DATE_LABEL}
          isLabelInside
          description={null}
          value={date}
          onChange={onDate}
          error={dateError}
        />
        <Button type="submit" px="md" disabled={busy} leftSection={<IconCircleCheck size={18} aria-hidden />}>
          Tandai Lunas
        </Button>
      </form>
      {records.some(({ status }) => status === 'lunas') ? (
        <Button
          px="md"
          variant="default"
          disabled={busy}
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          onClick={onUnmarkPaid}
        >
          Batalkan lunas
        </Button>
      ) : null}
      {children}
    </SelectionBar>
  );
}
