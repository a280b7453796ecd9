import { Button, Paper } from '@mantine/core';
import { IconFilterOff, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';

type NoRecordsReason = 'none' | 'no-arrears' | 'filtered';

/** Why nothing is shown: nothing is there, nothing is in arrears, or the filter hides it all. */
export function noRecordsReason(loadedCount: number, isOverdueOnly: boolean): NoRecordsReason {
  if (loadedCount > 0) return 'filtered';
  return isOverdueOnly ? 'no-arrears' : 'none';
}

const descriptions: Record<NoRecordsReason, string> = {
  none: 'Catat tagihan PBB pertama Anda. Yang diperlukan hanya SPPT di tangan Anda.',
  'no-arrears': 'Anda tidak memiliki tunggakan. Terima kasih sudah membayar tepat waktu.',
  filtered: 'Tidak ada data yang cocok dengan filter ini. Ubah atau bersihkan filternya.',
};

/** Stands in place of the list when there is nothing to show. */
export function OwnNoRecords({ reason, onClear }: { reason: NoRecordsReason; onClear: () => void }) {
  return (
    <Paper withBorder>
      <EmptyState
        title="Tidak ada data PBB"
        description={descriptions[reason]}
        action={
          reason === 'none' ? (
            <Button component={Link} to={paths.recordCreate} leftSection={<IconPlus size={18} aria-hidden />}>
              Tambah Data
            </Button>
          ) : (
            <Button variant="light" leftSection={<IconFilterOff size={18} aria-hidden />} onClick={onClear}>
              Tampilkan semua data
            </Button>
          )
        }
      />
    </Paper>
  );
}
