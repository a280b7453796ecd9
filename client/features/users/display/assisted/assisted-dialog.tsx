import { List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import { assistedBody } from '#shared/api/cards.ts';
import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { NAME_MAX } from '#shared/limits.ts';
import { createAssisted } from '../../api.ts';
import { reloadUsers } from '../../keys.ts';
import { LEAVE_CARDS_QUESTION, MadeCardsView } from '../cards/made-cards-view.tsx';
import { useCardBatch } from '../cards/use-card-batch.ts';

/** A person without an account, as the list of the office knows them. */
export type AssistedRequest = { name: string; objects: readonly { id: string; text: string }[] };

type Props = {
  request: AssistedRequest | null;
  /** Called after the account was made, before its card. */
  onCreated?: () => Promise<void>;
  /** @param account null when none was made */
  onClose: (account: AdminAccountAnswer | null) => void;
};

/** 'Buat akun warga': an account without an e-mail address and its card in one press (docs/requirements.md R-ACCESS-54). Open while `request` is set. */
export function AssistedDialog({ request, onCreated, onClose }: Props) {
  // The content stays while the dialog fades out; the next opening begins anew.
  const [shown, setShown] = useState(request);
  const [openCount, setOpenCount] = useState(0);
  const [wasOpen, setWasOpen] = useState(request !== null);
  const [state, setState] = useState<State>('idle');
  const [account, setAccount] = useState<AdminAccountAnswer | null>(null);
  if (wasOpen !== (request !== null)) {
    setWasOpen(request !== null);
    if (request) {
      setShown(request);
      setOpenCount(openCount + 1);
      setState('idle');
      setAccount(null);
    }
  }

  async function close(): Promise<void> {
    if (state === 'busy' || (state === 'cards' && !(await confirm(LEAVE_CARDS_QUESTION)))) return;
    onClose(account);
  }

  return (
    <Modal
      opened={request !== null}
      onClose={() => void close()}
      title="Buat akun warga"
      size="lg"
      closeOnEscape={state === 'idle'}
      closeOnClickOutside={false}
    >
      {shown ? (
        <AssistedForm
          key={openCount}
          request={shown}
          account={account}
          onAccount={async (made) => {
            setAccount(made);
            await onCreated?.();
          }}
          onState={setState}
          onCancel={() => void close()}
          onDone={() => onClose(account)}
        />
      ) : null}
    </Modal>
  );
}

type State = 'idle' | 'busy' | 'cards';

type FormProps = {
  request: AssistedRequest;
  account: AdminAccountAnswer | null;
  onAccount: (account: AdminAccountAnswer) => Promise<void>;
  onState: (state: State) => void;
  onCancel: () => void;
  onDone: () => void;
};

const validate = schemaResolver(assistedBody, { sync: true });

function AssistedForm({ request: { name, objects }, account, onAccount, onState, onCancel, onDone }: FormProps) {
  const queryClient = useQueryClient();
  const { cards, missing, make } = useCardBatch([]);
  const { form, ...state } = useSentForm<{ name: string; phone: string; phone_consent: boolean }>({
    initialValues: { name, phone: '', phone_consent: false },
    validate,
    save: async (values) => {
      let holder = account;
      if (!holder) {
        holder = await createAssisted({ ...values, assessment_ids: objects.map(({ id }) => id) });
        void reloadUsers(queryClient);
        await onAccount(holder);
      }
      await make([holder], {});
    },
    fallbackErrorText: 'Akun gagal dibuat',
  });
  const dialogState = state.busy ? 'busy' : cards.length > 0 ? 'cards' : 'idle';
  useEffect(() => onState(dialogState), [onState, dialogState]);

  if (account && cards.length > 0)
    return (
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          Akun <b>{account.name}</b> sudah dibuat. {emailText(account.email)}
        </Text>
        <LinkedObjects objects={objects} label="Objek yang terhubung" />
        <MadeCardsView
          cards={cards}
          missing={missing}
          printsAtOnce
          onRetry={(retried) => void make(retried, {})}
          onDone={onDone}
        />
      </Stack>
    );
  return (
    <DialogForm
      state={state}
      intro={
        account ? (
          <FormAlert kind="info" message={`Akun ${account.name} sudah dibuat, tetapi kartunya belum.`} />
        ) : (
          <Text>Untuk warga tanpa email. Ia masuk dengan kartu dan PIN yang dipilihnya sendiri.</Text>
        )
      }
      send={{
        label: account ? 'Buat & cetak kartu' : 'Simpan & cetak kartu',
        leftSection: <IconPrinter size={18} aria-hidden />,
        'data-autofocus': true,
      }}
      cancel={{ label: account ? 'Tutup' : 'Batal' }}
      onCancel={onCancel}
    >
      {account ? null : (
        <>
          <TextInput label="Nama" required maxLength={NAME_MAX} autoComplete="off" {...form.getInputProps('name')} />
          <TextInput
            label="Nomor HP"
            description="Boleh kosong, atau nomor keluarga. Contoh 0812-3456-7890."
            type="tel"
            autoComplete="off"
            {...form.getInputProps('phone')}
          />
          <SettingSwitch
            label="Kantor boleh menghubungi orang ini di nomor itu"
            description="Tanyakan dulu kepadanya"
            checked={form.values.phone_consent}
            onChange={(mayContact) => form.setFieldValue('phone_consent', mayContact)}
          />
          <LinkedObjects objects={objects} label="Objek yang dihubungkan" />
        </>
      )}
    </DialogForm>
  );
}

function LinkedObjects({ objects, label }: Pick<AssistedRequest, 'objects'> & { label: string }) {
  if (objects.length === 0) return null;
  return (
    <div>
      <Text fw={600} fz="sm">
        {label}
      </Text>
      <List spacing={4}>
        {objects.map(({ id, text }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            {text}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
