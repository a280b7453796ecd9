import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { showDateTime } from '#client/lib/format.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { SetupCode } from '#shared/api/second-factor.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { makeSetupCode, ownPasswordFields } from '../api.ts';
import { CopyableSecret } from '../display/copyable-secret.tsx';
import { LEAVE_QUESTION } from '../display/recovery-code/made-code-view.tsx';
import { ownPasswordError } from '../field-errors.ts';
import { OwnPasswordField } from '../own-password/own-password-field.tsx';

type Props = { user: UserAnswer; onClose: () => void };

/** 'Kode pemasangan' for another admin, made with the own password and shown once. */
export function SetupCodeDialog({ user, onClose }: Props) {
  const [made, setMade] = useState<SetupCode | null>(null);

  async function close(): Promise<void> {
    if (!made || (await confirm(LEAVE_QUESTION))) onClose();
  }

  return (
    <Modal
      opened
      onClose={() => void close()}
      title="Kode pemasangan"
      // A slip of the hand must not close a dialog whose code is shown only once.
      closeOnEscape={!made}
      closeOnClickOutside={false}
    >
      {made ? (
        <MadeCode user={user} made={made} onDone={onClose} />
      ) : (
        <AskForm user={user} onMade={setMade} onCancel={onClose} />
      )}
    </Modal>
  );
}

type AskProps = { user: UserAnswer; onMade: (made: SetupCode) => void; onCancel: () => void };

function AskForm({ user, onMade, onCancel }: AskProps) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSentForm({
    initialValues: { current_password: '' },
    validate: (values) => ownPasswordError(true, values),
    fallbackErrorText: 'Gagal membuat kode',
    save: async ({ current_password: password }) => {
      onMade(await makeSetupCode(user.id, ownPasswordFields(password)));
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
    },
  });
  return (
    <DialogForm
      state={state}
      intro={
        <Text style={{ overflowWrap: 'anywhere' }}>
          Dengan kode ini <b>{user.name}</b> memasang kode kedua, bila kantor mewajibkannya. Kode sebelumnya tidak
          berlaku lagi.
        </Text>
      }
      send={{ label: 'Buat kode', busyLabel: 'Membuat...' }}
      onCancel={onCancel}
    >
      <OwnPasswordField data-autofocus {...form.getInputProps('current_password')} />
    </DialogForm>
  );
}

function MadeCode({ user, made, onDone }: { user: UserAnswer; made: SetupCode; onDone: () => void }) {
  const code = useRef<HTMLElement>(null);
  useUnsavedWarning(true, LEAVE_QUESTION);
  // A screen reader reads it. The pressed button no longer exists, and Enter must not press the next one.
  useEffect(() => code.current?.focus(), []);
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>
        Bacakan kode ini kepada <b>{user.name}</b>. Hanya ditampilkan sekarang.
      </Text>
      <CopyableSecret ref={code} secret={made.code} word="kode" label="Kode pemasangan" isLarge />
      <Text>Berlaku sampai {showDateTime(made.expires_at)}, untuk satu kali pemasangan.</Text>
      <Group justify="flex-end" className="dialog-actions">
        <Button onClick={onDone}>Sudah saya sampaikan</Button>
      </Group>
    </Stack>
  );
}
