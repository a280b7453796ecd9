import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { PaymentChoiceField } from '../../display/payment-choice.tsx';
import { PaymentDateField } from '../../display/payment-date-field.tsx';
import { recordHeading } from '../../display/record-labels.ts';
import { ProofField, UploadProgress } from '../../form/proof-field.tsx';
import { useQuotaNotice } from '../../pages/use-quota-notice.ts';
import classes from './payment-report-dialog.module.css';
import { useReportForm } from './use-report-form.ts';

type Props = {
  record: TaxRecord;
  /** Chosen before the dialog opened. */
  photo: File | null;
  onCancel: () => void;
  onSaved: () => void;
};

/** Reports a payment with its day, or hands in a photo (R-REC-30). A paid record takes only a photo. */
export function PaymentReportDialog({ record, photo, onCancel, onSaved }: Props) {
  const state = useReportForm(record, photo !== null, onSaved);
  const { base, busy, form } = state;
  const notice = useQuotaNotice(
    { scope: 'own', ownerId: base.user_id, isNewRecord: false, hasStoredProof: base.payment_proof !== null },
    form.proof,
  );
  const withStatus = record.status !== 'lunas';

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog is drawn inside the page, whose form must not be sent too.
    event.stopPropagation();
    if (!focusInvalidDate(event.currentTarget)) void state.save();
  }

  return (
    <Modal
      opened
      onClose={() => (busy ? undefined : onCancel())}
      closeOnClickOutside={false}
      title={photo ? 'Unggah bukti pembayaran' : 'Tandai lunas'}
      centered
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Text>
            {recordHeading(base)} ·{' '}
            <strong>
              <Money amount={base.amount} />
            </strong>
          </Text>
          {base.amount_source === 'estimate' ? (
            <FormAlert
              kind="warning"
              message="Jumlah ini perkiraan (naik 10 %)."
              hint="Bila SPPT atau STTS menyebut jumlah lain, batalkan dan ubah dulu jumlahnya lewat Edit."
            />
          ) : null}
          {withStatus ? (
            <>
              {photo ? (
                <PaymentChoiceField value={form.choice} onChange={form.setChoice} error={state.choiceError} />
              ) : null}
              {form.choice === 'lunas' ? (
                <PaymentDateField
                  withAsterisk
                  autofocus={photo === null}
                  value={form.date}
                  onChange={form.setDate}
                  error={state.dateError}
                />
              ) : null}
            </>
          ) : null}
          <div className={classes['photo']}>
            <ProofField
              label={photo ? 'Foto bukti pembayaran' : 'Foto bukti (boleh menyusul)'}
              value={form.proof}
              onChange={form.setProof}
              initialFile={photo}
              onBusyChange={form.setPhotoBusy}
              error={state.proofError}
              notice={notice.proof}
            />
          </div>
          <Text c="dimmed" fz="sm">
            Petugas dapat melihat laporan Anda.
          </Text>
          {/* Together, so that an error or the progress is not below the edge of a phone. */}
          <Stack gap="sm" className={classes['actions'] ?? ''}>
            {state.failure ? <FormAlert message={state.failure.message} hint={state.failure.hint} /> : null}
            {state.progress === null ? null : <UploadProgress fraction={state.progress} />}
            <Group justify="flex-end" gap="sm" className="dialog-actions">
              <Button variant="default" onClick={onCancel} disabled={busy}>
                Batal
              </Button>
              <SaveButton
                busy={busy}
                disabled={form.isPhotoBusy || (!withStatus && form.proof.file === null)}
                aria-label="Simpan (Save)"
                leftSection={<IconDeviceFloppy size={18} aria-hidden />}
              >
                Simpan
              </SaveButton>
            </Group>
          </Stack>
        </Stack>
      </form>
    </Modal>
  );
}
