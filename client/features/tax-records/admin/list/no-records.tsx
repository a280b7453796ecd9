import { Button, Paper } from '@mantine/core';
import { IconFilterOff, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';

/** Nothing is there at all, or nothing that fits the filter. */
export function AdminNoRecords({ narrowed: isFiltered, onClear }: { narrowed: boolean; onClear: () => void }) {
  return (
    <Paper withBorder>
      <EmptyState
        title="Belum ada catatan pajak"
        description={
          isFiltered
            ? 'Tidak ada yang cocok dengan pencarian atau filter ini.'
            : 'Catatan pajak yang ditambahkan warga atau admin akan tampil di sini.'
        }
        action={
          isFiltered ? (
            <Button variant="light" leftSection={<IconFilterOff size={18} aria-hidden />} onClick={onClear}>
              Tampilkan semua data
            </Button>
          ) : (
            <Button component={Link} to={paths.adminRecordCreate} leftSection={<IconPlus size={18} aria-hidden />}>
              Tambah Data Pajak
            </Button>
          )
        }
      />
    </Paper>
  );
}
