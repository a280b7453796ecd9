import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { deleteRecordAsAdmin } from './api.ts';
import { reloadAdminRecords } from './reload.ts';

/**
 * Asks, deletes, tells, and reads everything again.
 * @param onDeleted called before the reading begins
 */
export function useDeleteRecordAsAdmin(onDeleted: (record: TaxRecord) => void) {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async (record: TaxRecord) => {
    const isConfirmed = await confirm({
      title: 'Hapus Data Pajak',
      message: (
        <>
          <Text>Apakah Anda yakin ingin menghapus data pajak ini? Tindakan ini tidak dapat dibatalkan.</Text>
          <Text c="dimmed" mt="xs">
            {record.name} · {record.spt_number} · {record.year}
            <br />
            Pemilik: {record.user.name}
          </Text>
        </>
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await deleteRecordAsAdmin(record.id);
    } catch (error) {
      notify.failure(error, 'Gagal menghapus data pajak');
      // It may be gone already, by a colleague or its owner.
      await reloadAdminRecords(queryClient);
      return;
    }
    notify.success('Data pajak berhasil dihapus');
    onDeleted(record);
    await reloadAdminRecords(queryClient, record.id);
  });
  return { remove: submit };
}
