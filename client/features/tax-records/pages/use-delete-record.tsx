import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { Money } from '#client/ui/data/money.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { deleteRecord, reloadRecords } from '../api.ts';
import { recordHeading } from '../display/record-labels.ts';
import { statusText } from '../display/verification/verification-text.ts';
import type { RecordScope } from '../scope.ts';
import { scopeTexts } from './scope-texts.ts';

/**
 * Asks, deletes, shows a toast and refetches.
 * @param onDeleted called before the refetch begins
 */
export function useDeleteRecord(scope: RecordScope, onDeleted: (record: TaxRecord) => void) {
  const queryClient = useQueryClient();
  const texts = scopeTexts[scope].remove;
  const { submit } = useSubmit(async (record: TaxRecord) => {
    const isConfirmed = await confirm({
      title: texts.title,
      message: (
        <>
          <Text>{texts.question}</Text>
          <Text c="dimmed" mt="xs">
            {recordHeading(record)} · <Money amount={record.amount} /> · {statusText(record, scope)}
            <br />
            {record.name} · {formatSptNumber(record.spt_number)}
            {scope === 'admin' ? (
              <>
                <br />
                Pemilik: {record.user.name}
              </>
            ) : null}
          </Text>
          {record.payment_proof === null ? null : (
            <Text fw={600} mt="xs">
              Bukti pembayaran ikut terhapus dan tidak dapat dikembalikan.
            </Text>
          )}
        </>
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await deleteRecord(scope, record.id);
    } catch (error) {
      notify.failure(error, texts.failed);
      // Another tab, the owner or an admin may have deleted it already.
      await reloadRecords(queryClient);
      return;
    }
    notify.success(texts.done);
    onDeleted(record);
    await reloadRecords(queryClient, record.id);
  });
  return { remove: submit };
}
