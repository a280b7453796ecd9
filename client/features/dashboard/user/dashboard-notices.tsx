import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconAlertCircle, IconCalendarPlus, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { formatNumber } from '#client/lib/format.ts';

// Good news can wait until the reader has finished its sentence.
const STATUS_ROLE = { role: 'status' };

type NewYearNoticeProps = { count: number; year: number; onClose: () => void };

/** That this year's records were made from last year's. */
export function NewYearNotice({ count, year, onClose }: NewYearNoticeProps) {
  return (
    <Alert
      {...STATUS_ROLE}
      color="laut"
      mb="md"
      icon={<IconCalendarPlus size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel="Tutup pemberitahuan"
      onClose={onClose}
    >
      <Text fw={500}>
        {formatNumber(count)} data PBB tahun {year} dibuat otomatis dari data tahun {year - 1}, dengan kenaikan 10%.
      </Text>
      <Anchor component={Link} to={`${paths.records}?tahun=${year}`} fw={600}>
        Lihat data tahun {year}
      </Anchor>
    </Alert>
  );
}

type LoadErrorProps = { hint: string | undefined; onRetry: () => void; onClose: () => void };

/** That the figures below are not the real ones. */
export function UserDashboardLoadError({ hint, onRetry, onClose }: LoadErrorProps) {
  return (
    <Alert
      color="red"
      mb="md"
      icon={<IconAlertCircle size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel="Tutup pemberitahuan"
      onClose={onClose}
    >
      <Text fw={500}>Gagal memuat data dashboard. Silakan coba lagi.</Text>
      {hint ? <Text fz="sm">{hint}</Text> : null}
      <Button mt="sm" variant="light" color="red" leftSection={<IconRefresh size={18} aria-hidden />} onClick={onRetry}>
        Coba lagi
      </Button>
    </Alert>
  );
}
