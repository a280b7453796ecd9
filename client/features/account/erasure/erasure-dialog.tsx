import { List, Modal, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { formatNumber } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { ERASURE_REASON_MAX } from '#shared/limits.ts';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';
import { askErasure, type ErasureTerms, reloadOwnErasure } from './erasure-api.ts';

type Props = { terms: ErasureTerms; user: AccountAnswer; onClose: () => void };

/** Says what goes, what stays and until when, and asks for the own password (docs/requirements.md R-ACCESS-90). */
export function ErasureDialog({ terms, user, onClose }: Props) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSentForm({
    initialValues: { reason: '', ...NO_OWN_SECRET },
    validate: (values) => ownSecretError(user, values),
    fallbackErrorText: 'Permintaan gagal dikirim',
    save: async (values) => {
      await askErasure({ reason: values.reason, ...ownSecretBody(user, values) });
      notify.success('Permintaan dikirim ke kantor');
      onClose();
      await reloadOwnErasure(queryClient);
    },
  });
  return (
    <Modal opened onClose={onClose} title="Hapus akun saya" closeOnClickOutside={!state.busy}>
      <DialogForm
        state={state}
        intro={<Consequences {...terms} />}
        send={{ label: 'Kirim permintaan', color: 'red', busyLabel: 'Mengirim...' }}
        onCancel={onClose}
      >
        <Textarea
          label="Alasan"
          description="Boleh dikosongkan."
          autosize
          minRows={2}
          maxLength={ERASURE_REASON_MAX}
          {...form.getInputProps('reason')}
        />
        <OwnSecretField
          user={user}
          description="Agar orang lain tidak dapat meminta ini dari HP Anda."
          inputPropsOf={form.getInputProps}
        />
      </DialogForm>
    </Modal>
  );
}

function Consequences({ deadline_hours: hours, archive_months: months }: ErasureTerms) {
  return (
    <div>
      <Text mb="xs">Kantor memutuskan dalam {formatNumber(hours)} jam. Bila disetujui:</Text>
      <List spacing="xs">
        <List.Item>
          <b>Dihapus</b> dan tidak dapat dikembalikan: akun, data PBB, foto bukti, dan percakapan Anda beserta fotonya.
        </List.Item>
        <List.Item>
          <b>Tetap ada</b>: riwayat perubahan di kantor, daftar objek dari kantor pajak, dan tanda terima. Kewajiban
          membayar PBB juga tetap.
        </List.Item>
        <List.Item>
          <b>Cadangan kantor</b> masih memuat data Anda sampai cadangannya diganti, paling lama {formatNumber(months)}{' '}
          bulan. Salinan berjalan kehilangannya dalam satu jam.
        </List.Item>
      </List>
    </div>
  );
}
