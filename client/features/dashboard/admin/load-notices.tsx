import { Alert, Box, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { formatNumber } from '#client/lib/format.ts';

/** That what is below is not what the office really has. */
export function AdminDashboardLoadError({ hint, onClose }: { hint: string; onClose: () => void }) {
  return (
    <Alert
      color="red"
      mb="md"
      className="no-print"
      icon={<IconAlertCircle size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel="Tutup pemberitahuan"
      onClose={onClose}
    >
      <Text fw={500}>Gagal memuat data dashboard. Silakan coba lagi.</Text>
      {hint ? <Text fz="sm">{hint}</Text> : null}
    </Alert>
  );
}

/** Where the figures come from while there are no statistics. */
export function StatisticsFromListsNotice({
  counted: countedRecords,
  all: totalRecords,
}: {
  counted: number;
  all: number;
}) {
  const hint =
    countedRecords < totalRecords
      ? `Angka di bawah dihitung dari ${formatNumber(countedRecords)} catatan terbaru dari ${formatNumber(totalRecords)}.`
      : 'Angka di bawah dihitung dari daftar pengguna dan catatan pajak.';
  return (
    <Box mb="md">
      <FormAlert kind="warning" message="Gagal memuat statistik" hint={hint} />
    </Box>
  );
}
