import { Alert, List, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';
import { formatNumber, showDate } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import type { Retention } from '#shared/api/retention.ts';
import { RETENTION_ANNOUNCED_MS } from '#shared/limits.ts';
import { termText } from '#shared/texts.ts';
import { reloadRetention, saveRetention } from './api.ts';
import { losesMore, olderCount, type Terms, termsOf } from './terms.ts';

type Props = { saved: Retention; terms: Terms; onClose: () => void; onSaved: () => void };

/** Says what is lost and from when, and asks for the own password. */
export function RetentionDialog({ saved, terms, onClose, onSaved }: Props) {
  const queryClient = useQueryClient();
  const isLoss = losesMore(termsOf(saved), terms);
  const email = useSession()?.user?.email ?? '';
  // An admin always has one.
  const user = { email, has_password: true };
  const { form, ...state } = useSentForm({
    initialValues: NO_OWN_SECRET,
    validate: (values) => ownSecretError(user, values),
    fallbackErrorText: 'Masa simpan gagal disimpan',
    save: async (values) => {
      await saveRetention({
        messages_months: terms.messages,
        inactive_accounts_months: terms.accounts,
        ...ownSecretBody(user, values),
      });
      notify.success('Masa simpan disimpan');
      await reloadRetention(queryClient);
      onSaved();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Ubah masa simpan" closeOnClickOutside={!state.busy}>
      <DialogForm
        state={state}
        intro={
          isLoss ? (
            <Losses saved={saved} terms={terms} />
          ) : (
            <Text>
              Pesan chat disimpan <b>{termText(terms.messages)}</b>, akun yang tidak dipakai{' '}
              <b>{termText(terms.accounts)}</b>. Tidak ada yang dihapus lebih awal daripada sekarang.
            </Text>
          )
        }
        send={{
          label: isLoss ? 'Umumkan dan simpan' : 'Simpan',
          ...(isLoss ? { color: 'red' } : {}),
          busyLabel: 'Menyimpan...',
        }}
        onCancel={onClose}
      >
        <OwnSecretField
          user={user}
          description="Agar orang lain tidak dapat mengubahnya dari perangkat yang masih masuk."
          inputPropsOf={form.getInputProps}
        />
      </DialogForm>
    </Modal>
  );
}

function Losses({ saved, terms: { messages, accounts } }: Pick<Props, 'saved' | 'terms'>) {
  const [firstDay] = useState(() => showDate(new Date(Date.now() + RETENTION_ANNOUNCED_MS).toISOString()));
  return (
    <Alert color="red" variant="light">
      <Text mb="xs">Mulai {firstDay} dihapus setiap malam, dan tidak dapat dikembalikan:</Text>
      <List spacing="xs" pr="xs">
        {messages > 0 ? (
          <List.Item>
            pesan chat yang lebih lama dari {termText(messages)} beserta foto dan dokumennya (saat ini{' '}
            {formatNumber(olderCount(saved, messages).messages)} pesan)
          </List.Item>
        ) : null}
        {accounts > 0 ? (
          <List.Item>
            akun warga yang tidak dipakai selama {termText(accounts)} beserta data PBB, foto bukti, dan percakapannya
            (saat ini {formatNumber(olderCount(saved, accounts).accounts)} akun)
          </List.Item>
        ) : null}
      </List>
      <Text mt="xs">
        Sebelum itu tidak ada yang dihapus. Sampai hari itu semua administrator melihat pengumumannya di setiap halaman,
        dengan tombol “Hentikan”.
      </Text>
    </Alert>
  );
}
