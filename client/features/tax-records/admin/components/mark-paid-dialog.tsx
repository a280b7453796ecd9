import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { DateField } from '#client/ui/form/date-field.tsx';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber, showDate, today } from '#client/lib/format.ts';
import { totalAmount } from '../../display/total-amount.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { markRecordPaid } from '../api.ts';
import { markPaid, type MarkPaidResult } from '../mark-paid.ts';
import { reloadRecords } from '../reload.ts';
import { MarkPaidReport } from './mark-paid-report.tsx';

type Props = {
  records: readonly TaxRecord[];
  onClose: () => void;
  /** These need not stay chosen. */
  onDone: (ids: readonly string[]) => void;
};

/** Marks the chosen records as paid on one date: asks once, shows how far it is, and reports what was done and what was not. */
export function MarkPaidDialog({ records: chosen, onClose, onDone }: Props) {
  const queries = useQueryClient();
  // What was asked about is what is done, whatever happens to the list behind meanwhile.
  const [records] = useState(chosen);
  const [date, setDate] = useState<string | null>(today);
  const [dateError, setDateError] = useState<string>();
  const [finished, setFinished] = useState<number | null>(null);
  const [result, setResult] = useState<MarkPaidResult | null>(null);
  const stop = useRef(new AbortController());
  const open = records.filter(({ status }) => status !== 'lunas');
  const already = records.filter(({ status }) => status === 'lunas');
  const running = finished !== null && result === null;
  useUnsavedWarning(running);

  async function run() {
    if (running) return;
    if (date === null) {
      setDateError('Tanggal pembayaran wajib diisi jika status Lunas');
      return;
    }
    setFinished(0);
    const told = await markPaid(open, {
      mark: (record) => markRecordPaid(record, date),
      onProgress: setFinished,
      signal: stop.current.signal,
    });
    setResult(told);
    onDone([...told.done, ...already].map(({ id }) => id));
    await reloadRecords(queries);
  }

  return (
    <Modal
      opened
      onClose={() => (running ? stop.current.abort() : onClose())}
      closeOnClickOutside={!running}
      title={result ? 'Hasil Tandai Lunas' : `Tandai ${formatNumber(open.length)} data lunas`}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': running ? 'Hentikan' : 'Tutup' }}
    >
      {result ? <MarkPaidReport result={result} alreadyCount={already.length} onClose={onClose} /> : null}
      {running ? (
        <Stack gap="sm">
          <Text component="output" display="block" className="tabular">
            {formatNumber(finished)} dari {formatNumber(open.length)} data diproses…
          </Text>
          <Progress value={(finished / open.length) * 100} aria-label="Menandai lunas" />
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={() => stop.current.abort()}>
              Hentikan
            </Button>
          </Group>
        </Stack>
      ) : null}
      {finished === null ? (
        <Stack gap="md">
          <Text>
            {open.length === 0 ? (
              'Semua data yang dipilih sudah lunas.'
            ) : (
              <>
                Status {formatNumber(open.length)} data senilai{' '}
                <strong>
                  <Money amount={totalAmount(open)} />
                </strong>{' '}
                menjadi Lunas, dengan satu tanggal pembayaran{date ? ` (${showDate(date)})` : ''}.
                {already.length > 0 ? ` ${formatNumber(already.length)} data yang sudah lunas tidak diubah.` : ''}
              </>
            )}
          </Text>
          {open.length > 0 ? (
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
            {open.length > 0 ? (
              <Button leftSection={<IconCircleCheck size={18} aria-hidden />} onClick={() => void run()}>
                Tandai Lunas
              </Button>
            ) : null}
          </Group>
        </Stack>
      ) : null}
    </Modal>
  );
}
