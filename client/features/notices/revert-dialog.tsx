import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { ownPasswordFields } from '#client/features/users/api.ts';
import { NO_OWN_SECRET, OwnSecretField, ownSecretError } from '#client/features/users/display/own-secret-field.tsx';
import { ApiError } from '#client/lib/api/api-error.ts';
import { useSession } from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import type { AdminNotice } from '#shared/api/notices.ts';
import { revertAddress } from './api.ts';

const FAILED_TEXT = 'Alamat lama gagal dikembalikan';

/** The line is gone, or another account has the address: another password mends nothing. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && [404, 409].includes(error.status);

export type RevertProps = {
  notice: AdminNotice;
  onClose: () => void;
  /** Loads the lines again. */
  onReverted: () => void;
};

/** 'Kembalikan' of a changed own address. The own password appears when the server asks for it: it knows whose account it is. */
export function RevertDialog({ notice, onClose, onReverted }: RevertProps) {
  const owner = { email: useSession()?.user?.email ?? '', has_password: true };
  const [asksPassword, setAsksPassword] = useState(false);
  const { name } = notice.actor;
  const { form, ...state } = useSentForm({
    initialValues: NO_OWN_SECRET,
    validate: (values) => (asksPassword ? ownSecretError(owner, values) : {}),
    fallbackErrorText: FAILED_TEXT,
    save: async ({ current_password: password }) => {
      try {
        await revertAddress(notice.id, asksPassword ? ownPasswordFields(password) : {});
        notify.success(`Alamat lama ${name} berlaku lagi`);
      } catch (error) {
        if (error instanceof ApiError && error.errors?.['current_password']) setAsksPassword(true);
        if (!isFinal(error)) throw error;
        notify.failure(error, FAILED_TEXT);
      }
      onClose();
      onReverted();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Kembalikan alamat lama" closeOnClickOutside={!state.busy}>
      <DialogForm
        state={state}
        intro={
          <>
            <Text style={{ overflowWrap: 'anywhere' }}>
              Alamat email lama <b>{name}</b> berlaku lagi, dan alamat barunya tidak dapat dipakai untuk masuk. Semua
              perangkat yang masuk dengan akun ini langsung keluar. Passwordnya tetap.
            </Text>
            <Text>Tanyakan dulu kepada orangnya bila Anda belum yakin.</Text>
          </>
        }
        send={{ label: 'Kembalikan', busyLabel: 'Mengembalikan...' }}
        cancel={{ 'data-autofocus': true }}
        onCancel={onClose}
      >
        {asksPassword ? (
          <OwnSecretField
            user={owner}
            description="Ini akun administrator. Dengan password Anda, orang lain tidak dapat melakukannya dari perangkat yang masih masuk."
            inputPropsOf={(field) => form.getInputProps(field)}
          />
        ) : null}
      </DialogForm>
    </Modal>
  );
}
