import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { deleteRecord } from '../api.ts';
import { reloadRecords } from '../keys.ts';

/**
 * Asks, deletes, tells, and reads everything again.
 * @param onDeleted called before the reading begins
 */
export function useDeleteRecord(onDeleted: (record: TaxRecord) => void) {
  const queries = useQueryClient();
  const { submit, busy } = useSubmit(async (record: TaxRecord) => {
    const sure = await confirm({
      title: 'Hapus Data PBB',
      message: (
        <>
          <Text>Apakah Anda yakin ingin menghapus data PBB ini?</Text>
          <Text c="dimmed" mt="xs">
            {record.name} · {record.spt_number} · {record.year}
          </Text>
        </>
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!sure) return;
    try {
      await deleteRecord(record.id);
    } catch (error) {
      notify.failure(error, 'Gagal menghapus data PBB');
      // It may be gone already, by another tab or an administrator.
      await reloadRecords(queries);
      return;
    }
    notify.success('Data PBB berhasil dihapus');
    onDeleted(record);
    await reloadRecords(queries, record.id);
  });
  return { remove: submit, removing: busy };
}
