import { Anchor, Button, Checkbox, Divider, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { EMAIL_MAX, NAME_MAX } from '#shared/limits.ts';
import { OwnPasswordField } from '../own-password/own-password-field.tsx';
import { useProtectionReason } from '../use-protection-reason.ts';
import { QuotaUseLine } from './quota-use.tsx';
import { useEditForm } from './use-edit-form.ts';
import { ResetPasswordDialog } from '../reset-password/reset-password-dialog.tsx';

type FormProps = {
  user: UserAnswer;
  onDone: () => void;
  onCancel: () => void;
  onDirtyChange: (dirty: boolean) => void;
  /** A question stands above this dialog, or no longer does. */
  onAsking: (isAsking: boolean) => void;
};

function EditForm({ user, onDone, onCancel, onDirtyChange, onAsking }: FormProps) {
  const { form, base, asksPassword, notice, busy, onSubmit } = useEditForm(user, onDone, onAsking);
  const reason = useProtectionReason()(user);
  const lockedText = reason === null ? null : `${reason}. Mintalah admin lain: minimal harus ada satu admin aktif.`;
  const dirty = form.isDirty();
  useUnsavedWarning(dirty);
  useEffect(() => onDirtyChange(dirty), [dirty, onDirtyChange]);

  const activeHint =
    base.is_active && !form.values.is_active
      ? 'Setelah Update, pengguna langsung keluar dari semua perangkatnya.'
      : 'Hanya pengguna aktif yang dapat masuk.';
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        {notice ? <FormAlert kind={notice.kind} message={notice.message} hint={notice.hint} /> : null}
        <TextInput
          label="Nama"
          required
          maxLength={NAME_MAX}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Email"
          type="email"
          required={base.has_email}
          description={base.has_email ? undefined : `${emailText(base.email)}. Isi bila orang ini punya email.`}
          maxLength={EMAIL_MAX}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {lockedText ? <FormAlert kind="info" message={lockedText} /> : null}
        <Checkbox
          size="md"
          label="Pengguna Aktif"
          description={lockedText ? null : activeHint}
          disabled={lockedText !== null}
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
        <Checkbox
          size="md"
          label="Hak Akses Admin"
          description={lockedText ? null : 'Dapat mengelola semua pengguna dan semua data PBB.'}
          disabled={lockedText !== null}
          {...form.getInputProps('is_admin', { type: 'checkbox' })}
        />
        {asksPassword ? <OwnPasswordField {...form.getInputProps('current_password')} /> : null}
        <QuotaUseLine userId={user.id} />
        <Group justify="flex-end" gap="sm" mt="xs" className="dialog-actions">
          <Button variant="default" onClick={onCancel} aria-label="Batal (Cancel)">
            Batal
          </Button>
          <SaveButton busy={busy}>Update</SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

type Props = { user: UserAnswer | null; onClose: () => void };

/** The dialog 'Edit Pengguna' (docs/requirements.md R-USER-9). Open while `user` is set. */
export function EditUserDialog({ user, onClose }: Props) {
  // The form stays while the dialog fades out, when `user` is already null.
  const [shownUser, setShownUser] = useState(user);
  const [dirty, setDirty] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isResetOpen, setIsResetOpen] = useState(false);
  if (user && user !== shownUser) {
    setShownUser(user);
    setDirty(false);
  }

  function noteAsking(isAsking: boolean): void {
    if (isAsking) setIsConfirming(true);
    // Only after all listeners have handled the key press that answered, so that Escape closes one dialog at a time.
    else setTimeout(() => setIsConfirming(false));
  }

  async function cancel(): Promise<void> {
    if (isConfirming) return;
    if (dirty) {
      noteAsking(true);
      const leave = await confirm({
        title: 'Perubahan belum disimpan',
        message: 'Jika dialog ini ditutup, perubahan yang belum disimpan akan hilang.',
        confirmLabel: 'Buang perubahan',
        cancelLabel: 'Lanjut mengedit',
        danger: true,
      });
      noteAsking(false);
      if (!leave) return;
    }
    onClose();
  }

  function onDeleted(): void {
    setIsResetOpen(false);
    onClose();
  }

  return (
    <>
      <Modal
        opened={user !== null}
        onClose={() => void cancel()}
        // Below the dialogs of `confirm` (300), above the header of the page (100).
        zIndex={190}
        // Escape closes only the dialog above this one.
        closeOnEscape={!isConfirming && !isResetOpen}
        title="Edit Pengguna"
        size="md"
      >
        {shownUser ? (
          <>
            <EditForm
              key={shownUser.id}
              user={shownUser}
              onDone={onClose}
              onCancel={() => void cancel()}
              onDirtyChange={setDirty}
              onAsking={noteAsking}
            />
            {shownUser.has_email ? (
              <ResetPasswordSection user={shownUser} onReset={() => setIsResetOpen(true)} />
            ) : null}
          </>
        ) : null}
      </Modal>
      <ResetPasswordDialog
        user={isResetOpen ? shownUser : null}
        // Only after all listeners have handled the key press, as in `cancel`.
        onClose={() => setTimeout(() => setIsResetOpen(false))}
        onDeleted={onDeleted}
      />
    </>
  );
}

type SectionProps = { user: UserAnswer; onReset: () => void };

/** Below the edit form of an account: opens the dialog that sets a new password. */
function ResetPasswordSection({ user, onReset }: SectionProps) {
  const isOwn = useProtectionReason()(user) !== null;
  return (
    <section aria-label="Password">
      <Divider my="lg" />
      {isOwn ? (
        <Text fz="sm" c="dimmed">
          Password Anda sendiri diganti di{' '}
          <Anchor component={Link} to={paths.adminAccount} inherit>
            Akun Saya
          </Anchor>
          .
        </Text>
      ) : (
        <Group justify="space-between" gap="0.25rem 0.5rem">
          <Text fz="sm" c="dimmed">
            Lupa password?
          </Text>
          <Button
            variant="subtle"
            px="xs"
            mx="-0.625rem"
            leftSection={<IconKey size={18} aria-hidden />}
            onClick={onReset}
          >
            Atur ulang password
          </Button>
        </Group>
      )}
    </section>
  );
}
