import { Alert, Modal, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ownPasswordFields } from '#client/features/users/api.ts';
import { reloadUsers } from '#client/features/users/keys.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { showDateTime } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSentForm } from '#client/ui/form/use-saved-form.ts';
import type { OpenErasure } from '#shared/api/erasures.ts';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { ERASURE_REASON_MAX, ERASURE_REASON_MIN, PASSWORD_MAX } from '#shared/limits.ts';
import { erasureTexts } from '#shared/texts.ts';
import { decideErasure, reloadErasures } from './api.ts';

export type Decision = 'approved' | 'rejected';
type Props = { request: OpenErasure; decision: Decision; onClose: () => void };

const initialValues = { reason: '', isAtCounter: false, current_password: '' };
type Values = typeof initialValues;

function errorsOf(values: Values, { approvable_at: approvableAt }: OpenErasure, decision: Decision) {
  const isTooEarly = decision === 'approved' && !values.isAtCounter && Date.parse(approvableAt) > Date.now();
  return {
    ...(isTooEarly ? { isAtCounter: erasureTexts.tooEarly(showDateTime(approvableAt)) } : {}),
    ...(decision === 'rejected' && values.reason.trim().length < ERASURE_REASON_MIN
      ? { reason: erasureTexts.reasonLength }
      : {}),
    ...(values.current_password === '' ? { current_password: ownPasswordTexts.required } : {}),
  };
}

/** A colleague decided, or the person withdrew: another password mends nothing. */
const isStale = (error: unknown): boolean => error instanceof ApiError && [404, 409].includes(error.status);

/** 'Setujui' or 'Tolak', each with the own password; it stays open with what was typed after an error that can be mended. */
export function DecisionDialog({ request, decision, onClose }: Props) {
  const queryClient = useQueryClient();
  const { user, updated_at } = request;
  const email = useSession()?.user?.email;
  const isApproval = decision === 'approved';
  const { form, ...state } = useSentForm({
    initialValues,
    validate: (values) => errorsOf(values, request, decision),
    fallbackErrorText: 'Keputusan gagal disimpan',
    save: async (values) => {
      const own = ownPasswordFields(values.current_password);
      const facts = isApproval
        ? values.isAtCounter
          ? { checked: 'counter' as const }
          : {}
        : { reason: values.reason.trim() };
      try {
        await decideErasure(user.id, { result: decision, updated_at, ...facts, ...own });
        notify.success(isApproval ? 'Akun berhasil dihapus' : 'Permintaan ditolak');
      } catch (error) {
        if (!isStale(error)) throw error;
        notify.failure(error, 'Keputusan gagal disimpan');
      }
      onClose();
      await Promise.all([reloadUsers(queryClient), reloadErasures(queryClient)]);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={isApproval ? 'Setujui hapus akun' : 'Tolak permintaan'}
      closeOnClickOutside={!state.busy}
    >
      <DialogForm
        state={state}
        intro={
          isApproval ? (
            <Alert color="red" variant="light">
              Akun <b style={{ overflowWrap: 'anywhere' }}>{user.name}</b> dihapus sekarang juga, beserta data PBB, foto
              bukti, dan percakapannya. Ini tidak dapat dikembalikan. Riwayat perubahan dan daftar objek kantor tetap.
            </Alert>
          ) : (
            <Text style={{ overflowWrap: 'anywhere' }}>
              Akun <b>{user.name}</b> tetap ada. Alasannya dikirim ke chat warga.
            </Text>
          )
        }
        send={{
          label: isApproval ? 'Hapus akun' : 'Tolak',
          color: 'red',
          busyLabel: isApproval ? 'Menghapus...' : 'Menyimpan...',
        }}
        onCancel={onClose}
      >
        {isApproval ? (
          <div>
            <SettingSwitch
              label="Diperiksa di loket"
              description="Orangnya ada di depan Anda, dan Anda mengenalinya atau memeriksa KTP-nya."
              checked={form.values.isAtCounter}
              onChange={(isAtCounter) => form.setFieldValue('isAtCounter', isAtCounter)}
            />
            {form.errors['isAtCounter'] ? (
              <Text c="red" fz="sm" role="alert">
                {form.errors['isAtCounter']}
              </Text>
            ) : null}
          </div>
        ) : (
          <Textarea
            label="Alasan untuk warga"
            description="Misalnya: masih ada tagihan yang menunggak."
            withAsterisk
            data-autofocus
            autosize
            minRows={2}
            maxLength={ERASURE_REASON_MAX}
            {...form.getInputProps('reason')}
          />
        )}
        <PasswordOwner email={email} />
        <PasswordField
          label="Password Anda"
          secretLabel="password Anda"
          description="Agar orang lain tidak dapat memutuskan dari perangkat yang masih masuk."
          required
          maxLength={PASSWORD_MAX}
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      </DialogForm>
    </Modal>
  );
}
