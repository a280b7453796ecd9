import { ActionIcon, Button, Loader, Paper, Text } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconX } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { matchedTogetherText } from '../../display/mark-paid/mark-paid.ts';
import { PaymentDateField, STTS_DATE_LABEL } from '../../display/payment-date-field.tsx';
import classes from './selection-bar.module.css';

/** The limit is one answer of the server, so that an admin can still check the selection. */
const SELECT_ALL_MAX = ADMIN_RECORDS_MAX;

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

/** The selection and its actions. The bar stays visible while the admin scrolls and turns pages. */
export function SelectionBar(props: Props) {
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
    <Paper
      component="section"
      withBorder
      shadow="md"
      p="xs"
      className={`no-print ${classes['bar']}`}
      aria-label="Data yang dipilih"
      data-selection-bar
    >
      <div className={classes['words']}>
        <Text component="output" display="block">
          <strong>{formatNumber(records.length)} dipilih</strong>
          {' · '}
          <Money amount={totalAmount(records)} />
        </Text>
        {matchedTogether === null ? null : (
          <Text fz="sm" c="dimmed">
            Dengan Tandai Lunas {matchedTogether}.
          </Text>
        )}
        <ActionIcon color="gray" aria-label="Batalkan pilihan" title="Batalkan pilihan" onClick={onClear}>
          <IconX size={20} aria-hidden />
        </ActionIcon>
        {selectableTotal !== null && selectableTotal <= SELECT_ALL_MAX ? (
          <Button
            variant="subtle"
            px="xs"
            disabled={isLoadingAll}
            leftSection={isLoadingAll ? <Loader size={16} aria-hidden /> : undefined}
            onClick={onSelectAll}
          >
            {isLoadingAll
              ? `Memuat ${formatNumber(selectableTotal)} data…`
              : `Pilih semua ${formatNumber(selectableTotal)} hasil`}
          </Button>
        ) : null}
        {selectableTotal !== null && selectableTotal > SELECT_ALL_MAX ? (
          <Text fz="sm" c="dimmed">
            Hasilnya {formatNumber(selectableTotal)} data; paling banyak {formatNumber(SELECT_ALL_MAX)} dapat dipilih
            sekaligus. Persempit dengan filter.
          </Text>
        ) : null}
      </div>
      <div className={classes['buttons']}>
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
      </div>
    </Paper>
  );
}
