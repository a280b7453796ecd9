import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { showDate, showDateShort } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { fieldTexts } from '#shared/texts.ts';
import { fetchRecord, type PaymentReport, reloadRecords, reportPayment, undoReport, uploadProof } from '../../api.ts';
import { type RecordUpload, updateRecord } from '../../form/send-record.ts';
import { PAYMENT_CHOICE_MISSING, type PaymentChoice } from '../../display/payment-choice.tsx';
import { recordHeading, statusLabel } from '../../display/record-labels.ts';
import { noProofChange, type ProofChange } from '../../form/proof-field.tsx';
import { formValuesToBody, recordToFormValues } from '../../form/record-form-values.ts';
import { scopeTexts } from '../../pages/scope-texts.ts';

const { failed } = scopeTexts.own.edit;

type Failure = { message: string; hint: string | undefined };

/** The stored record, after another session changed it. */
function describeStored({ status, payment_date: date }: TaxRecord): string {
  const paid = status === 'lunas' && date !== null ? `, dibayar ${showDate(date)}` : '';
  return `Yang tersimpan sekarang: ${statusLabel(status)}${paid}. Periksa, lalu simpan lagi.`;
}

const proofTextOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.errors?.['payment_proof']?.[0] : undefined;

/** The status and the date are stored, the photo is not. */
class PhotoNotStoredError extends Error {
  readonly stored: TaxRecord;
  constructor(stored: TaxRecord, cause: unknown) {
    super('photo not stored', { cause });
    this.stored = stored;
  }
}

/** With a photo the call carries the whole record, because a form empties what it leaves out (R-API-9). */
async function sendReport(base: TaxRecord, report: PaymentReport, upload: RecordUpload): Promise<TaxRecord> {
  const { file } = upload.proof;
  if (!file) return reportPayment(base, report);
  if (base.amount > 0) {
    const body = formValuesToBody({ ...recordToFormValues(base), ...report });
    return updateRecord('own', base.id, { ...body, updated_at: base.updated_at }, upload);
  }
  // The whole record would be refused for its amount (R-REC-8), so status and photo travel apart.
  const stored = await reportPayment(base, report);
  return uploadProof(stored, { file, onProgress: upload.onProgress }).catch((error: unknown) => {
    throw new PhotoNotStoredError(stored, error);
  });
}

/** The state of a report. After every error, the date and the photo stay. */
export function useReportForm(record: TaxRecord, withPhoto: boolean, onSaved: () => void) {
  const queryClient = useQueryClient();
  /** The record that was shown; after a conflict, the one that is stored now. */
  const [base, setBase] = useState(record);
  const isPaid = record.status === 'lunas';
  // 'Tandai lunas' has said it already; a photo alone has not.
  const [choice, setChoice] = useState<PaymentChoice | null>(isPaid || !withPhoto ? 'lunas' : null);
  const [date, setDate] = useState<string | null>(null);
  const [proof, setProof] = useState<ProofChange>(noProofChange);
  const [isPhotoBusy, setPhotoBusy] = useState(false);
  const [choiceError, setChoiceError] = useState<string>();
  const [dateError, setDateError] = useState<string>();
  const [proofError, setProofError] = useState<string>();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  async function undo(stored: TaxRecord) {
    try {
      await undoReport(stored, base);
    } catch (error) {
      notify.failure(error, failed);
    }
    await reloadRecords(queryClient);
  }

  /** Shows the rest of the answer besides the reported status. */
  function storedDetails({ payment_date: paidOn, payment_proof }: TaxRecord, status: RecordStatus): string[] {
    if (base.status === status) return [];
    return [
      ...(paidOn === null ? [] : [`dibayar ${showDateShort(paidOn)}`]),
      ...(proof.file && payment_proof !== null ? ['foto tersimpan'] : []),
    ];
  }

  function announce(stored: TaxRecord, status: RecordStatus) {
    const what = base.status === status ? 'Bukti pembayaran tersimpan' : `Ditandai ${statusLabel(status)}`;
    const message = [`${what}: ${recordHeading(stored)}`, ...storedDetails(stored, status)].join(' · ');
    // A replaced photo is gone, so there is nothing to go back to.
    if (proof.file && base.payment_proof !== null) notify.success(message);
    else notify.undo({ message, onUndo: () => void undo(stored) });
  }

  async function showError(error: unknown) {
    if (error instanceof ApiError && error.status === 409) {
      const stored = await fetchRecord('own', base.id);
      setBase(stored);
      setFailure({ message: 'Data ini baru saja diubah dari tempat lain.', hint: describeStored(stored) });
      return;
    }
    if (error instanceof PhotoNotStoredError) {
      const { stored, cause } = error;
      setBase(stored);
      void reloadRecords(queryClient);
      setProofError(proofTextOf(cause));
      setFailure({
        message: `Status ${statusLabel(stored.status)} sudah tersimpan, fotonya belum.`,
        hint: messageOf(cause, hintOf(cause) ?? 'Simpan lagi untuk mengirim foto.'),
      });
      return;
    }
    const proofText = proofTextOf(error);
    if (proofText) setProofError(proofText);
    else setFailure({ message: messageOf(error, failed), hint: hintOf(error) });
  }

  const { submit, busy } = useSubmit(async () => {
    if (isPhotoBusy) return;
    if (choice === null) {
      setChoiceError(PAYMENT_CHOICE_MISSING);
      return;
    }
    if (choice === 'lunas' && !isPaid && date === null) {
      setDateError(fieldTexts.paymentDateRequired);
      return;
    }
    setFailure(null);
    setProofError(undefined);
    const { file } = proof;
    const report = { status: choice, payment_date: choice === 'lunas' ? date : null };
    const isReportStored = base.status === report.status && base.payment_date === report.payment_date;
    const onlyPhoto = file !== null && (isPaid || isReportStored);
    // On a slow line the first answer about the upload takes seconds.
    if (file) setProgress(0);
    try {
      const stored = onlyPhoto
        ? await uploadProof(base, { file, onProgress: setProgress })
        : await sendReport(base, report, { proof, onProgress: setProgress });
      announce(stored, choice);
      void reloadRecords(queryClient);
      onSaved();
    } catch (error) {
      await showError(error).catch((later: unknown) =>
        setFailure({ message: messageOf(later, failed), hint: hintOf(later) }),
      );
    } finally {
      setProgress(null);
    }
  });
  useUnsavedWarning(busy || proof.file !== null);

  return {
    base,
    busy,
    progress,
    failure,
    choiceError,
    dateError,
    proofError,
    save: submit,
    form: {
      choice,
      setChoice: (next: PaymentChoice) => {
        setChoice(next);
        setChoiceError(undefined);
      },
      date,
      setDate: (next: string | null) => {
        setDate(next);
        setDateError(undefined);
      },
      proof,
      setProof: (next: ProofChange) => {
        setProof(next);
        setProofError(undefined);
      },
      isPhotoBusy,
      setPhotoBusy,
    },
  };
}
