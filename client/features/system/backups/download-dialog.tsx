import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { PasswordField } from '#client/ui/form/password-field.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { showDateTime } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { type BackupFile, downloadBody } from '#shared/api/system.ts';
import { PASSWORD_MAX } from '#shared/limits.ts';
import { requestDownloadUrl, systemKeys } from '../api.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { startDownload } from '#client/lib/browser/start-download.ts';

const validate = schemaResolver(downloadBody, { sync: true });

function DownloadForm({ backup, onClose }: { backup: BackupFile; onClose: () => void }) {
  const queryClient = useQueryClient();
  const email = useSession()?.user?.email;
  const form = useForm({ initialValues: { password: '' }, validate });
  const [failure, setFailure] = useState<{ message: string; hint: string | undefined } | null>(null);

  const { submit, busy } = useSubmit(async (password: string, element: HTMLElement) => {
    setFailure(null);
    try {
      const { url } = await requestDownloadUrl(backup.name, password);
      onClose();
      startDownload(url, backup.name);
      notify.success('Unduhan dimulai');
    } catch (error) {
      const passwordError = error instanceof ApiError ? error.errors?.['password']?.[0] : undefined;
      if (passwordError === undefined)
        setFailure({ message: messageOf(error, 'Gagal mengunduh cadangan'), hint: hintOf(error) });
      else form.setFieldError('password', passwordError);
      focusFirstError(element);
      // The retention may have deleted the backup meanwhile.
      if (error instanceof ApiError && error.status === 404) {
        void queryClient.invalidateQueries({ queryKey: systemKeys.backups });
      }
    }
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const element = event.currentTarget;
    form.onSubmit(
      ({ password }) => void submit(password, element),
      () => focusFirstError(element),
    )(event);
  };

  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <Text>
          Cadangan {showDateTime(backup.created_at)} ({formatBytes(backup.size_bytes)}) berisi semua data warga.
          Masukkan password Anda untuk mengunduhnya, dan simpan berkasnya di tempat yang aman.
        </Text>
        {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
        {/* Shows password managers to which account the password belongs. */}
        <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        <PasswordField
          label="Password"
          required
          maxLength={PASSWORD_MAX}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" gap="sm" mt="xs" className="dialog-actions">
          <Button variant="default" onClick={onClose} aria-label="Batal (Cancel)">
            Batal
          </Button>
          <SaveButton
            busy={busy}
            busyLabel="Menyiapkan..."
            aria-label="Unduh (Download)"
            leftSection={<IconDownload size={18} aria-hidden />}
          >
            Unduh
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

type Props = { backup: BackupFile | null; onClose: () => void };

/** Asks for the own password before a download (docs/requirements.md R-SYS-14). Open while `backup` is set. */
export function DownloadDialog({ backup, onClose }: Props) {
  // The form stays while the dialog fades out, when `backup` is already null.
  const [shown, setShown] = useState(backup);
  if (backup && backup !== shown) setShown(backup);
  return (
    <Modal
      opened={backup !== null}
      onClose={onClose}
      title="Unduh Cadangan"
      size="md"
      closeButtonProps={{ 'aria-label': 'Tutup' }}
    >
      {shown ? <DownloadForm key={shown.name} backup={shown} onClose={onClose} /> : null}
    </Modal>
  );
}
