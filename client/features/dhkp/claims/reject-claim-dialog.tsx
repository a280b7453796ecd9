import { Modal, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { ReasonField } from '#client/ui/fields/reason-field.tsx';
import { DialogForm } from '#client/ui/form/dialog-form.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { type Claim, rejectClaimBody } from '#shared/api/dhkp/claims.ts';
import { CLAIM_REASON_MAX } from '#shared/limits.ts';
import { claimTexts } from '#shared/texts.ts';

const UNREADABLE = 'Lampirannya tidak terbaca. Kirim lagi permintaannya dengan foto SPPT yang jelas.';
/** The most frequent reasons. None says whose an object is, or whether anybody has an account for it. */
const READY_REASONS = [
  'NOP ini tidak ada di daftar kantor. Periksa lagi angkanya pada SPPT.',
  'NOP ini tidak tercatat atas nama Anda. Bawa SPPT dan KTP ke kantor.',
  'Kirim lagi permintaannya dengan foto SPPT, agar dapat kami periksa.',
  UNREADABLE,
] as const;

type Props = {
  claim: Claim;
  onClose: () => void;
  onReject: (claim: Claim, reason: string) => Promise<void>;
};

/** Asks why a request is rejected, with ready reasons. It stays open with what was typed while the answer is not stored. */
export function RejectClaimDialog({ claim, onClose, onReject }: Props) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<Failure | null>(null);
  const readyReasons = READY_REASONS.filter((text) => text !== UNREADABLE || claim.attachment !== null);

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    try {
      await onReject(claim, reason.trim());
      onClose();
    } catch (thrown) {
      setFailure(failureOf(thrown, 'Jawaban gagal disimpan'));
    }
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (rejectClaimBody.safeParse({ reason }).success) void submit();
    else setError(claimTexts.reasonLength);
  }

  function change(text: string): void {
    setReason(text);
    setError(undefined);
  }

  return (
    <Modal opened onClose={onClose} title="Tolak permintaan">
      <DialogForm
        state={{ failure, busy, onSubmit }}
        intro={
          <Text style={{ overflowWrap: 'anywhere' }}>
            {claim.nop_text} · {claim.user.name}
          </Text>
        }
        send={{ label: 'Tolak', color: 'red' }}
        onCancel={onClose}
      >
        <ReasonField
          readyReasons={readyReasons}
          reason={reason}
          onChange={change}
          description="Dikirim juga ke chat warga."
          maxLength={CLAIM_REASON_MAX}
          error={error}
          onSubmit={onSubmit}
        />
      </DialogForm>
    </Modal>
  );
}
