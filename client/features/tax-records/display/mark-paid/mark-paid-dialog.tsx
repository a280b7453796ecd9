import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber, showDate } from '#client/lib/format.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { fieldTexts } from '#shared/texts.ts';
import { PaymentDateField } from '../payment-date-field.tsx';
import { isReportWaiting, type MarkableRecord, matchedTogetherText, type MarkPaidResult } from './mark-paid.ts';
import { MarkPaidReport } from './mark-paid-report.tsx';
import { useMarkPaid } from './use-mark-paid.ts';

type Props = {
  records: readonly MarkableRecord[];
  onClose: () => void;
  /** Gets the ids of the records that are paid now, so that they leave a selection. */
  onDone?: (ids: readonly string[]) => void;
  /** The date that was chosen before the question. */
  initialDate?: string | null;
  /** The outcome of a run that is already over, for a report without a question. */
  outcome?: MarkPaidResult | null;
};

/** The ids of the records that are paid now. */
export function paidIds(records: readonly MarkableRecord[], { done }: MarkPaidResult): string[] {
  const alreadyPaid = records.filter(({ status }) => status === 'lunas');
  return [...done.map(({ record }) => record), ...alreadyPaid].map(({ id }) => id);
}

/**
 * Marks records as paid on one date, which the admin reads from the STTS. It closes by itself, and reports only the records
 * that could not be marked.
 */
export function MarkPaidDialog({ records: givenRecords, onClose, onDone, initialDate = null, outcome = null }: Props) {
  // The dialog keeps the records that it asked about, even when the list behind it changes.
  const [records] = useState(givenRecords);
  const [date, setDate] = useState(initialDate);
  const [dateError, setDateError] = useState<string>();
  const [result, setResult] = useState<MarkPaidResult | null>(outcome);
  const { mark, finishedCount, stop } = useMarkPaid();
  const unpaid = records.filter(({ status }) => status !== 'lunas');
  const alreadyCount = records.length - unpaid.length;
  const running = finishedCount !== null;

  async function markAll() {
    if (running) return;
    if (date === null) {
      setDateError(fieldTexts.paymentDateRequired);
      return;
    }
    const marked = await mark(unpaid, date);
    onDone?.(paidIds(records, marked));
    if (marked.failed.length + marked.notAttempted.length > 0) setResult(marked);
    else onClose();
  }

  return (
    <Modal
      opened
      onClose={() => (running ? stop() : onClose())}
      closeOnClickOutside={!running}
      title={result ? 'Hasil Tandai Lunas' : `Tandai ${formatNumber(unpaid.length)} data lunas`}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': running ? 'Hentikan' : 'Tutup' }}
    >
      {result ? <MarkPaidReport result={result} alreadyCount={alreadyCount} onClose={onClose} /> : null}
      {running ? (
        <Stack gap="sm">
          <Text component="output" display="block" className="tabular">
            {formatNumber(finishedCount)} dari {formatNumber(unpaid.length)} data diproses…
          </Text>
          <Progress value={(finishedCount / unpaid.length) * 100} aria-label="Menandai lunas" />
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={stop}>
              Hentikan
            </Button>
          </Group>
        </Stack>
      ) : null}
      {!running && !result ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // In the tree of React the dialog may stand inside another form.
            event.stopPropagation();
            if (!focusInvalidDate(event.currentTarget)) void markAll();
          }}
        >
          <Stack gap="md">
            <Question unpaid={unpaid} alreadyCount={alreadyCount} date={date} />
            {unpaid.length > 0 ? (
              <PaymentDateField
                withAsterisk
                autofocus
                value={date}
                onChange={(next) => {
                  setDate(next);
                  setDateError(undefined);
                }}
                error={dateError}
              />
            ) : null}
            <Group justify="flex-end" mt="md" gap="sm" className="dialog-actions">
              <Button variant="default" onClick={onClose}>
                Batal
              </Button>
              {unpaid.length > 0 ? (
                <Button type="submit" leftSection={<IconCircleCheck size={18} aria-hidden />}>
                  Tandai Lunas
                </Button>
              ) : null}
            </Group>
          </Stack>
        </form>
      ) : null}
    </Modal>
  );
}

type QuestionProps = { unpaid: readonly MarkableRecord[]; alreadyCount: number; date: string | null };

function Question({ unpaid, alreadyCount, date }: QuestionProps) {
  const [first, ...others] = unpaid;
  if (!first) return <Text>Semua data yang dipilih berstatus Lunas.</Text>;
  const onDate = date ? ` (${showDate(date)})` : '';
  const estimateCount = unpaid.filter(({ amount_source }) => amount_source === 'estimate').length;
  if (others.length === 0 && alreadyCount === 0) {
    return (
      <Text>
        <strong>{first.name}</strong> · {formatSptNumber(first.spt_number)} · {first.year}
        <br />
        <Money amount={first.amount} /> menjadi Lunas{onDate}.
        {estimateCount > 0 ? ' Jumlah ini perkiraan (naik 10 %), belum dicocokkan dengan SPPT.' : ''}
        {isReportWaiting(first)
          ? ` Laporan pembayarannya${first.payment_proof === null ? ', tanpa foto,' : ''} sekaligus dicatat cocok.`
          : ''}
      </Text>
    );
  }
  const matchedTogether = matchedTogetherText(unpaid);
  return (
    <Text>
      Status {formatNumber(unpaid.length)} data senilai{' '}
      <strong>
        <Money amount={totalAmount(unpaid)} />
      </strong>{' '}
      menjadi Lunas, dengan satu tanggal pembayaran{onDate}.
      {estimateCount > 0 ? ` ${formatNumber(estimateCount)} jumlah di antaranya perkiraan (naik 10 %).` : ''}
      {matchedTogether === null ? '' : ` ${matchedTogether}.`}
      {alreadyCount > 0 ? ` ${formatNumber(alreadyCount)} data berstatus Lunas tidak diubah.` : ''}
    </Text>
  );
}
