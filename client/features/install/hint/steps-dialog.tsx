import { Modal, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { InstallSteps } from '../display/install-steps.tsx';

/** The steps for a browser that never asks. */
export function StepsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // Opened only after it was mounted closed: otherwise it would not give the focus back.
  const isMounted = useMounted();
  return (
    <Modal opened={opened && isMounted} onClose={onClose} title="Pasang PBB Kita di layar utama">
      <InstallSteps />
      <Text fz="sm" c="dimmed" mt="md">
        Langkah ini juga ada di halaman Akun Saya.
      </Text>
    </Modal>
  );
}
