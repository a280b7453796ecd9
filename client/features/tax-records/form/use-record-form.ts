import { type FormErrors, useForm } from '@mantine/form';
import { type FormEvent, useEffect, useState } from 'react';
import { noProofChange, type ProofChange } from './proof-field.tsx';
import { ApiError } from '#client/lib/api/api-error.ts';
import { serverFieldErrors, whenValid } from '#client/ui/form/field-errors.ts';
import { focusFirstError } from '#client/ui/form/focus-first-error.ts';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { useFormDraft } from './use-form-draft.ts';
import { mergeRecord } from './merge-record.ts';
import { formValuesToBody, type RecordFormBody, type RecordFormValues } from './record-form-values.ts';

export type FormFailure = { message: string; hint?: string | undefined };
export type RecordFormState = ReturnType<typeof useRecordForm>;

type Options = {
  initialValues: RecordFormValues;
  validate: (values: RecordFormValues) => FormErrors;
  onInvalid?: (errors: FormErrors) => void;
  save: (body: RecordFormBody, upload: { proof: ProofChange; onProgress: (fraction: number) => void }) => Promise<void>;
  /** The message of an error; null when the error was handled in another way. */
  handleError: (error: unknown) => Promise<FormFailure | null>;
};

/** Whether a proof was refused for its size or type (R-PROOF-1, R-PROOF-2). */
function isProofError(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 413 || error.status === 415);
}

/** The state of a record's form. After every error, what was typed stays. */
export function useRecordForm({ initialValues, validate, onInvalid, save, handleError }: Options) {
  const form = useForm<RecordFormValues>({ initialValues, validate: validate });
  const [proof, setProof] = useState<ProofChange>(noProofChange);
  const [photoBusy, setPhotoBusy] = useState(false);
  const [proofError, setProofError] = useState<string | undefined>();
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const [saved, setSaved] = useState(false);

  const unsaved = !saved && (form.isDirty() || proof.file !== null || proof.remove);
  useUnsavedWarning(unsaved);
  const restoredDraft = useFormDraft(() =>
    unsaved ? { base: initialValues, typed: form.getValues(), hadPhoto: proof.file !== null } : null,
  );
  const { setValues } = form;
  useEffect(() => {
    if (restoredDraft) setValues(mergeRecord(restoredDraft.base, restoredDraft.typed, initialValues).values);
    // Only once; later it would overwrite what is typed.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  function showFieldErrors(error: unknown) {
    if (isProofError(error)) setProofError(error.message);
    form.setErrors(serverFieldErrors(error, initialValues));
    const { payment_proof: proofText } = serverFieldErrors(error, { payment_proof: '' });
    if (proofText) setProofError(proofText);
  }

  const { submit, busy } = useSubmit(async (values: RecordFormValues, element: HTMLElement) => {
    if (saved || photoBusy) return;
    setFailure(null);
    setProofError(undefined);
    // On a slow line the first answer about the upload takes seconds.
    if (proof.file) setProgress(0);
    try {
      await save(formValuesToBody(values), { proof, onProgress: setProgress });
      setSaved(true);
    } catch (error) {
      const newFailure = await handleError(error);
      if (newFailure === null) return;
      setFailure(newFailure);
      showFieldErrors(error);
      focusFirstError(element);
    } finally {
      setProgress(null);
    }
  });

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    if (focusInvalidDate(event.currentTarget)) {
      event.preventDefault();
      return;
    }
    whenValid(form, submit, onInvalid)(event);
  }

  function changeProof(choice: ProofChange) {
    setProof(choice);
    setProofError(undefined);
  }

  return {
    form,
    onSubmit,
    busy,
    saved,
    progress,
    failure,
    proof,
    changeProof,
    proofError,
    photoBusy,
    setPhotoBusy,
    /** The draft from before the session ended, if there is one. */
    kept: restoredDraft,
  };
}
