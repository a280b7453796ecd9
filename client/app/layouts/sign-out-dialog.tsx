import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';

/** The messages and drafts that a logout would delete. */
export type UnsentWork = { messageCount: number; hasDrafts: boolean };

type Props = {
  /** null: no question is open. */
  work: UnsentWork | null;
  sending: boolean;
  /** The last try to send has failed. */
  hasFailed: boolean;
  onSend: () => void;
  onDiscard: () => void;
  onCancel: () => void;
};

function titleOf({ messageCount }: UnsentWork): string {
  return messageCount > 0 ? `${messageCount} pesan belum terkirim. Keluar juga?` : 'Ada draf pesan. Keluar juga?';
}

function textOf({ messageCount, hasDrafts }: UnsentWork): string {
  const subject = messageCount > 0 ? (hasDrafts ? 'Pesan dan draf itu' : 'Pesan itu') : 'Draf itu';
  return `${subject} akan dibuang, agar tidak terbaca orang lain yang memakai peramban ini.`;
}

/** Asks before signing out discards unsent messages (docs/requirements.md R-AUTH-20). */
export function SignOutDialog({ work, sending, hasFailed, onSend, onDiscard, onCancel }: Props) {
  // The text stays while the dialog fades out.
  const [lastWork, setLastWork] = useState(work);
  if (work && work !== lastWork) setLastWork(work);
  const shownWork = work ?? lastWork;
  const hasMessages = shownWork !== null && shownWork.messageCount > 0;
  return (
    <Modal
      opened={work !== null}
      onClose={onCancel}
      title={shownWork ? titleOf(shownWork) : null}
      centered
      size="md"
      // Above the drawer that has the button.
      zIndex={300}
    >
      {shownWork ? (
        <>
          <Text>{textOf(shownWork)}</Text>
          {hasFailed ? (
            <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>
              <FormAlert message="Pesan belum dapat dikirim." hint="Periksa koneksi Anda lalu coba lagi." />
            </div>
          ) : null}
          <Group justify="flex-end" mt="xl" gap="sm" className="dialog-actions">
            <Button variant="default" onClick={onCancel} data-autofocus={!hasMessages || undefined}>
              Batal
            </Button>
            <Button color="red" variant={hasMessages ? 'light' : 'filled'} onClick={onDiscard}>
              Buang dan keluar
            </Button>
            {hasMessages ? (
              <Button onClick={onSend} loading={sending} data-autofocus>
                Kirim dulu
              </Button>
            ) : null}
          </Group>
        </>
      ) : null}
    </Modal>
  );
}
