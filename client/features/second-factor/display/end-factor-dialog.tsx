import { Modal, Text } from '@mantine/core';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import type { OwnAccount } from '#shared/api/auth.ts';
import { endFactor } from '../api.ts';
import { FactorCodeField, factorCodeError } from './factor-code-field.tsx';

type Props = { user: OwnAccount; onClose: () => void };

/** 'Matikan' of the own second factor, with the own password and a code. */
export function EndFactorDialog({ user, onClose }: Props) {
  const { form, ...state } = useSentForm({
    initialValues: { ...NO_OWN_SECRET, code: '' },
    validate: (values) => ({ ...ownSecretError(user, values), ...factorCodeError(values.code, 'either') }),
    fallbackErrorText: 'Kode kedua gagal dimatikan',
    save: async (values) => {
      await endFactor({ code: values.code, ...ownSecretBody(user, values) });
      notify.success('Kode kedua dimatikan');
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Matikan kode kedua" closeOnClickOutside={!state.busy}>
      <DialogForm
        state={state}
        intro={
          <Text>
            Sesudahnya cukup password{user.has_password ? '' : ' atau PIN'} untuk masuk. Kode cadangan tidak berlaku
            lagi.
          </Text>
        }
        send={{ label: 'Matikan', color: 'red', busyLabel: 'Mematikan...' }}
        onCancel={onClose}
      >
        <OwnSecretField user={user} inputPropsOf={form.getInputProps} />
        <FactorCodeField kind="either" label="Kode" {...form.getInputProps('code')} />
      </DialogForm>
    </Modal>
  );
}
