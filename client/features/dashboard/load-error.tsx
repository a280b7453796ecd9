import { Alert, Button, Text } from '@mantine/core';
import { IconAlertCircle, IconRefresh } from '@tabler/icons-react';

type Props = { hint: string | undefined; onClose: () => void; onRetry?: () => void; className?: string };

/** Reports that the numbers below are not the real ones (R-STAT-10). */
export function DashboardLoadError({ hint, onClose, onRetry, className }: Props) {
  return (
    <Alert
      color="red"
      mb="md"
      className={className ?? ''}
      icon={<IconAlertCircle size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel="Tutup pemberitahuan"
      onClose={onClose}
    >
      <Text fw={500}>Gagal memuat data dashboard. Silakan coba lagi.</Text>
      {hint ? <Text fz="sm">{hint}</Text> : null}
      {onRetry ? (
        <Button
          mt="sm"
          variant="light"
          color="red"
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={onRetry}
        >
          Coba lagi
        </Button>
      ) : null}
    </Alert>
  );
}
