import { Modal, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { showDateTime } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { type BackupFile, downloadBody } from '#shared/api/system.ts';
import { PASSWORD_MAX } from '#shared/limits.ts';
import { requestDownloadUrl, systemKeys } from '../api.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { startDownload } from '#client/lib/browser/start-download.ts';

const validate = schemaResolver(downloadBody, { sync: true });

function DownloadForm({ backup, onClose }: { backup: BackupFile; onClose: () => void }) {
  const queryClient = useQueryClient();
  const email = useSession()?.user?.email;
  const { form, ...state } = useSentForm({
    initialValues: { password: '' },
    validate,
    fallbackErrorText: 'Gagal mengunduh cadangan',
    save: async ({ password }) => {
      const { url } = await requestDownloadUrl(backup.name, password).catch((error: unknown) => {
        // The retention may have deleted the backup meanwhile.
        if (error instanceof ApiError && error.status === 404) {
          void queryClient.invalidateQueries({ queryKey: systemKeys.backups });
        }
        throw error;
      });
      onClose();
      startDownload(url, backup.name);
      notify.success('Unduhan dimulai');
    },
  });

  return (
    <DialogForm
      state={state}
      intro={
        <Text>
          Cadangan {showDateTime(backup.created_at)} ({formatBytes(backup.size_bytes)}) berisi semua data warga.
          Masukkan password Anda untuk mengunduhnya, dan simpan berkasnya di tempat yang aman.
        </Text>
      }
      send={{
        label: 'Unduh',
        busyLabel: 'Menyiapkan...',
        'aria-label': 'Unduh (Download)',
        leftSection: <IconDownload size={18} aria-hidden />,
      }}
      cancel={{ 'aria-label': 'Batal (Cancel)' }}
      onCancel={onClose}
    >
      <PasswordOwner email={email} />
      <PasswordField
        label="Password"
        required
        maxLength={PASSWORD_MAX}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}

type Props = { backup: BackupFile | null; onClose: () => void };

/** Asks for the own password before a download (docs/requirements.md R-SYS-14). Open while `backup` is set. */
export function DownloadDialog({ backup, onClose }: Props) {
  // The form stays while the dialog fades out, when `backup` is already null.
  const [shown, setShown] = useState(backup);
  if (backup && backup !== shown) setShown(backup);
  return (
    <Modal opened={backup !== null} onClose={onClose} title="Unduh Cadangan" size="md">
      {shown ? <DownloadForm key={shown.name} backup={shown} onClose={onClose} /> : null}
    </Modal>
  );
}
