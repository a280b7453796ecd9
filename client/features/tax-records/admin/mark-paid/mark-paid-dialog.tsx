import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { DateField } from '#client/ui/form/date-field.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber, showDate, today } from '#client/lib/format.ts';
import { totalAmount } from '#shared/domain/rupiah.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { markRecordPaid, reloadRecords } from '../../api.ts';
import { markPaid, type MarkPaidResult } from './mark-paid.ts';
import { MarkPaidReport } from './mark-paid-report.tsx';

type Props = {
  records: readonly TaxRecord[];
  onClose: () => void;
  /** Gets the ids of the records that are paid now, so that they leave the selection. */
  onDone: (ids: readonly string[]) => void;
};

/** Marks the selected records as paid on one date: asks once, shows the progress, and reports the outcome of each record. */
export function MarkPaidDialog({ records: selectedRecords, onClose, onDone }: Props) {
  const queryClient = useQueryClient();
  // The dialog keeps the records that it asked about, even when the list behind it changes.
  const [records] = useState(selectedRecords);
  const [date, setDate] = useState<string | null>(today);
  const [dateError, setDateError] = useState<string>();
  const [processedCount, setProcessedCount] = useState<number | null>(null);
  const [result, setResult] = useState<MarkPaidResult | null>(null);
  const abort = useRef(new AbortController());
  const unpaid = records.filter(({ status }) => status !== 'lunas');
  const alreadyPaid = records.filter(({ status }) => status === 'lunas');
  const running = processedCount !== null && result === null;
  useUnsavedWarning(running);

  async function markAll() {
    if (running) return;
    if (date === null) {
      setDateError('Tanggal pembayaran wajib diisi jika status Lunas');
      return;
    }
    setProcessedCount(0);
    const outcome = await markPaid(unpaid, {
      mark: (record) => markRecordPaid(record, date),
      onProgress: setProcessedCount,
      signal: abort.current.signal,
    });
    setResult(outcome);
    onDone([...outcome.done, ...alreadyPaid].map(({ id }) => id));
    await reloadRecords(queryClient);
  }

  return (
    <Modal
      opened
      onClose={() => (running ? abort.current.abort() : onClose())}
      closeOnClickOutside={!running}
      title={result ? 'Hasil Tandai Lunas' : `Tandai ${formatNumber(unpaid.length)} data lunas`}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': running ? 'Hentikan' : 'Tutup' }}
    >
      {result ? <MarkPaidReport result={result} alreadyCount={alreadyPaid.length} onClose={onClose} /> : null}
      {running ? (
        <Stack gap="sm">
          <Text component="output" display="block" className="tabular">
            {formatNumber(processedCount)} dari {formatNumber(unpaid.length)} data diproses…
          </Text>
          <Progress value={(processedCount / unpaid.length) * 100} aria-label="Menandai lunas" />
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => abort.current.abort()}>
              Hentikan
            </Button>
          </Group>
        </Stack>
      ) : null}
      {processedCount === null ? (
        <Stack gap="md">
          <Text>
            {unpaid.length === 0 ? (
              'Semua data yang dipilih sudah lunas.'
            ) : (
              <>
                Status {formatNumber(unpaid.length)} data senilai{' '}
                <strong>
                  <Money amount={totalAmount(unpaid)} />
                </strong>{' '}
                menjadi Lunas, dengan satu tanggal pembayaran{date ? ` (${showDate(date)})` : ''}.
                {alreadyPaid.length > 0
                  ? ` ${formatNumber(alreadyPaid.length)} data yang sudah lunas tidak diubah.`
                  : ''}
              </>
            )}
          </Text>
          {unpaid.length > 0 ? (
            <DateField
              label="Tanggal Pembayaran"
              withAsterisk
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
              <Button leftSection={<IconCircleCheck size={18} aria-hidden />} onClick={() => void markAll()}>
                Tandai Lunas
              </Button>
            ) : null}
          </Group>
        </Stack>
      ) : null}
    </Modal>
  );
}
