import { Button, Group, Modal, Text } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { confirmAtom } from './confirm.ts';

/** Shows the questions of `confirm`. Mounted once, above all pages. */
export function ConfirmHost() {
  const request = useAtomValue(confirmAtom);
  // The words stay while the dialog fades out, when the request is already gone.
  const [last, setLast] = useState(request);
  if (request && request !== last) setLast(request);
  const shown = request ?? last;

  return (
    <Modal
      opened={request !== null}
      onClose={() => request?.answer(false)}
      title={shown?.title}
      centered
      size="md"
      // Above a dialog that asks it.
      zIndex={300}
      closeButtonProps={{ 'aria-label': 'Tutup' }}
    >
      {shown ? (
        <>
          {typeof shown.message === 'string' ? <Text>{shown.message}</Text> : shown.message}
          <Group justify="flex-end" mt="xl" gap="sm" className="dialog-actions">
            <Button variant="default" data-autofocus={shown.danger || undefined} onClick={() => request?.answer(false)}>
              {shown.cancelLabel ?? 'Batal'}
            </Button>
            <Button
              color={shown.danger ? 'red' : undefined}
              data-autofocus={!shown.danger || undefined}
              onClick={() => request?.answer(true)}
            >
              {shown.confirmLabel ?? 'Lanjut'}
            </Button>
          </Group>
        </>
      ) : null}
    </Modal>
  );
}
