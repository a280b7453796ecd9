import { useQueryClient } from '@tanstack/react-query';
import { saveFile } from '#client/exports/save-file.ts';
import { fetchFile } from '#client/lib/api/api.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { dhkpKeys, discardBatch } from '../api.ts';

/** The acts on an import, wherever it is shown. */
export function useBatchActions() {
  const queryClient = useQueryClient();

  async function download({ id, file_name: name }: Batch): Promise<void> {
    try {
      saveFile(await fetchFile('/admin/dhkp/batches/{id}/file', { params: { id } }), name);
    } catch (error) {
      notify.failure(error, 'Berkas gagal diunduh');
    }
  }

  /** @returns whether the import is gone */
  async function discard({ id, file_name: name }: Batch): Promise<boolean> {
    const isConfirmed = await confirm({
      title: 'Buang impor',
      message: `Impor ${name} dibuang beserta berkasnya. Daftar objek tidak berubah.`,
      confirmLabel: 'Buang',
      danger: true,
    });
    if (!isConfirmed) return false;
    try {
      await discardBatch(id);
      queryClient.removeQueries({ queryKey: dhkpKeys.batch(id) });
      notify.success('Impor dibuang');
      return true;
    } catch (error) {
      notify.failure(error, 'Impor gagal dibuang');
      return false;
    } finally {
      await queryClient.invalidateQueries({ queryKey: dhkpKeys.batches });
    }
  }

  return { download, discard };
}
