import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ReasonField } from '#client/ui/fields/reason-field.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { REASON_MAX } from '#shared/limits.ts';
import { recordHeading } from '../../display/record-labels.ts';
import { statusLabels } from '#shared/labels.ts';
import { stillOwedText } from './decision-buttons.tsx';

/** The most frequent reasons; an admin may change or add words. */
const UNREADABLE = 'Foto tidak terbaca. Mohon unggah foto yang lebih jelas.';
const NO_PROOF = 'Foto ini bukan bukti pembayaran PBB.';
const READY_REASONS = [
  UNREADABLE,
  'Jumlah pada bukti tidak sama dengan tagihan.',
  'Bukti ini untuk SPT atau tahun pajak lain.',
  NO_PROOF,
  'Pembayaran tidak ditemukan di catatan kantor.',
] as const;
const ABOUT_PHOTO: readonly string[] = [UNREADABLE, NO_PROOF];

type Props = {
  record: TaxRecord;
  /** Typed before and not stored. */
  initialReason: string;
  onCancel: (reason: string) => void;
  /** `isReset`: the record also becomes unpaid. */
  onReject: (reason: string, isReset: boolean) => void;
};

/** Asks why a proof does not match, with ready reasons; Enter stores it. */
export function RejectDialog({ record, initialReason, onCancel, onReject }: Props) {
  const [reason, setReason] = useState(initialReason);
  const [isReset, setIsReset] = useState(record.status !== 'belum_lunas');
  const [error, setError] = useState<string>();
  const hasPhoto = record.payment_proof !== null;
  const readyReasons = READY_REASONS.filter((text) => hasPhoto || !ABOUT_PHOTO.includes(text));

  function submit(event: FormEvent): void {
    event.preventDefault();
    // In the tree of React the dialog may stand inside another form.
    event.stopPropagation();
    const text = reason.trim();
    if (text === '') setError('Alasan wajib diisi');
    else onReject(text, isReset);
  }

  function change(text: string): void {
    setReason(text);
    setError(undefined);
  }

  return (
    <Modal opened onClose={() => onCancel(reason)} title="Tidak cocok" centered>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Text>
            {recordHeading(record)} · {record.user.name}
          </Text>
          <ReasonField
            readyReasons={readyReasons}
            reason={reason}
            onChange={change}
            description="Dikirim juga ke chat warga, bersama kartu data ini."
            maxLength={REASON_MAX}
            error={error}
            onSubmit={submit}
          />
          {record.status === 'belum_lunas' ? null : (
            <StatusChoice record={record} isReset={isReset} onChange={setIsReset} />
          )}
          <Group justify="flex-end" gap="sm" className="dialog-actions">
            <Button variant="default" onClick={() => onCancel(reason)}>
              Batal
            </Button>
            <Button type="submit" color="red">
              Tidak cocok
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type ChoiceProps = { record: TaxRecord; isReset: boolean; onChange: (isReset: boolean) => void };

/** Takes the status back unless asked to leave it, and says what that would mean. */
function StatusChoice({ record, isReset, onChange }: ChoiceProps) {
  const resetText = `Status ${statusLabels[record.status]} dihapus${record.payment_proof === null ? '' : ', foto tetap tersimpan'}.`;
  const keptText = record.status === 'lunas' ? 'Tetap dihitung lunas' : stillOwedText(record);
  return (
    <Checkbox
      checked={isReset}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={`Kembalikan status ke ${statusLabels.belum_lunas}`}
      description={isReset ? resetText : keptText}
    />
  );
}
