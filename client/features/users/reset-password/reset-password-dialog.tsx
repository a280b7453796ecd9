import { Button, Checkbox, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { IconKey, IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import type { UserAnswer } from '#shared/api/users.ts';
import { PASSWORD_MAX, PASSWORD_MIN_ADMIN_CREATE } from '#shared/limits.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { CopyableSecret } from '../display/copyable-secret.tsx';
import { OwnPasswordField } from '../own-password/own-password-field.tsx';
import { useResetForm } from './use-reset-form.ts';

type FormProps = {
  user: UserAnswer;
  onCancel: () => void;
  onDone: () => void;
  onDeleted: () => void;
  onLockChange: (isLocked: boolean) => void;
};

function StoredPassword({ user, password, onClose }: { user: UserAnswer; password: string; onClose: () => void }) {
  const done = useRef<HTMLButtonElement>(null);
  // The focused button no longer exists.
  useEffect(() => done.current?.focus(), []);
  return (
    <Stack gap="md">
      <Text>
        Password baru untuk <b>{user.name}</b>. Sampaikan sekarang: sesudah dialog ini ditutup, password ini tidak
        ditampilkan lagi.
      </Text>
      <CopyableSecret secret={password} word="password" label="Password baru" />
      <Group justify="flex-end" className="dialog-actions">
        <Button ref={done} onClick={onClose}>
          Selesai
        </Button>
      </Group>
    </Stack>
  );
}

function ResetForm({ user, onCancel, onDone, onDeleted, onLockChange }: FormProps) {
  const state = useResetForm(user, { onDone, onDeleted, onLockChange });
  const { form, source, suggestion, storedPassword } = state;
  if (storedPassword !== null) return <StoredPassword user={user} password={storedPassword} onClose={onDone} />;
  return (
    <DialogForm
      state={state}
      intro={
        <>
          <Text style={{ overflowWrap: 'anywhere' }}>
            Password baru untuk <b>{user.name}</b> ({emailText(user.email)}). Sampaikan langsung kepada orangnya. Lebih
            aman: kode masuk, dengan itu ia memilih password sendiri.
          </Text>
          {user.is_active ? null : (
            <FormAlert kind="info" message="Akun ini nonaktif: pengguna baru dapat masuk setelah diaktifkan." />
          )}
        </>
      }
      send={{ label: 'Ganti password', leftSection: <IconKey size={18} aria-hidden /> }}
      cancel={{ 'aria-label': 'Batal (Cancel)' }}
      onCancel={onCancel}
    >
      <Radio.Group
        label="Password baru"
        value={source}
        onChange={(value) => state.chooseSource(value === 'typed' ? 'typed' : 'suggested')}
      >
        <Group gap="lg" mt="xs">
          <Radio size="md" value="suggested" label="Pakai saran" data-autofocus />
          <Radio size="md" value="typed" label="Ketik sendiri" />
        </Group>
      </Radio.Group>
      {source === 'suggested' ? (
        <CopyableSecret secret={suggestion} word="password" label="Password baru">
          <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={state.suggestAnother}>
            Saran lain
          </Button>
        </CopyableSecret>
      ) : (
        <>
          <PasswordOwner email={user.email} />
          <PasswordField
            label="Ketik password baru"
            description={`Minimal ${PASSWORD_MIN_ADMIN_CREATE} karakter`}
            required
            maxLength={PASSWORD_MAX}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
      <Checkbox
        size="md"
        label="Harus diganti saat masuk"
        description="Sesudah masuk, orangnya memilih password sendiri dulu."
        {...form.getInputProps('must_change', { type: 'checkbox' })}
      />
      {state.asksPassword ? <OwnPasswordField {...form.getInputProps('current_password')} /> : null}
    </DialogForm>
  );
}

type Props = {
  user: UserAnswer | null;
  onClose: () => void;
  /** Called when the account was deleted meanwhile. */
  onDeleted: () => void;
};

/** Sets a new password for a user who forgot the old one. Open while `user` is set. */
export function ResetPasswordDialog({ user, onClose, onDeleted }: Props) {
  // The form stays while the dialog fades out; the next opening shows another suggestion.
  const [shownUser, setShownUser] = useState(user);
  const [openCount, setOpenCount] = useState(0);
  const [isLocked, setIsLocked] = useState(false);
  const [wasOpen, setWasOpen] = useState(user !== null);
  if (wasOpen !== (user !== null)) {
    setWasOpen(user !== null);
    if (user) {
      setShownUser(user);
      setOpenCount(openCount + 1);
    }
  }

  function close(): void {
    if (!isLocked) onClose();
  }

  return (
    <Modal
      opened={user !== null}
      onClose={close}
      // Above the dialog 'Edit Pengguna' (190), below the dialogs of `confirm` (300).
      zIndex={195}
      closeOnEscape={!isLocked}
      // A click outside must not close a dialog whose password is shown only once.
      closeOnClickOutside={false}
      title="Atur Ulang Password"
      size="md"
    >
      {shownUser ? (
        <ResetForm
          key={openCount}
          user={shownUser}
          onCancel={close}
          onDone={onClose}
          onDeleted={onDeleted}
          onLockChange={setIsLocked}
        />
      ) : null}
    </Modal>
  );
}
