import { Button, Group, Modal, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { confirmAtom } from './confirm.ts';

/** Shows the dialogs of `confirm`. Mounted once, outside all pages. */
export function ConfirmHost() {
  const request = useAtomValue(confirmAtom);
  // Opened only after it was mounted closed: otherwise it would not give the focus back.
  const isMounted = useMounted();
  // The text stays while the dialog fades out, when the request no longer exists.
  const [lastRequest, setLastRequest] = useState(request);
  if (request && request !== lastRequest) setLastRequest(request);
  const shownRequest = request ?? lastRequest;

  return (
    <Modal
      opened={isMounted && request !== null}
      onClose={() => request?.answer(false)}
      title={shownRequest?.title}
      centered
      size="md"
      // Above the dialog that calls `confirm`.
      zIndex={300}
      // A key that is held down since the question was asked does not answer it.
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
    >
      {shownRequest?.content?.(shownRequest.answer)}
      {shownRequest && !shownRequest.content ? (
        <>
          {typeof shownRequest.message === 'string' ? <Text>{shownRequest.message}</Text> : shownRequest.message}
          <Group justify="flex-end" mt="xl" gap="sm" className="dialog-actions">
            <Button
              variant="default"
              data-autofocus={shownRequest.danger || undefined}
              onClick={() => request?.answer(false)}
            >
              {shownRequest.cancelLabel ?? 'Batal'}
            </Button>
            <Button
              {...(shownRequest.danger ? { color: 'red' } : {})}
              data-autofocus={!shownRequest.danger || undefined}
              onClick={() => request?.answer(true)}
            >
              {shownRequest.confirmLabel ?? 'Lanjut'}
            </Button>
          </Group>
        </>
      ) : null}
    </Modal>
  );
}
