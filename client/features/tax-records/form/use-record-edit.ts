import type { FormErrors } from '@mantine/form';
import { useState } from 'react';
import type { ProofChange } from './proof-field.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { Conflict } from './conflict-panel.tsx';
import { mergeRecord } from './merge-record.ts';
import { type RecordFormBody, type RecordFormValues, recordToFormValues } from './record-form-values.ts';
import { useRecordForm } from './use-record-form.ts';

export type EditBody = RecordFormBody & { updated_at: string };

type Options = {
  loaded: TaxRecord;
  validate: (values: RecordFormValues) => FormErrors;
  onInvalid: (errors: FormErrors) => void;
  /** Sends the edit with the `updated_at` that was loaded, and notifies of its success. */
  save: (
    id: string,
    body: EditBody,
    upload: { proof: ProofChange; onProgress: (fraction: number) => void },
  ) => Promise<unknown>;
  fetchStored: (id: string) => Promise<TaxRecord>;
  /** Shown when the answer has no message (R-UI-10). */
  fallbackErrorText: string;
};

/** Identifies the image of a record. The signature in its link changes although the image stays. */
const proofPath = (record: TaxRecord) => record.payment_proof?.split('?')[0] ?? null;

/** The form of an edit. After a conflict (R-REC-9) it shows both versions, and nothing that was typed is lost. */
export function useRecordEdit({ loaded, validate, onInvalid, save, fetchStored, fallbackErrorText }: Options) {
  /** The record that was loaded; after a conflict, the record that is stored now. */
  const [base, setBase] = useState(loaded);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const state = useRecordForm({
    initialValues: recordToFormValues(loaded),
    validate,
    onInvalid,
    save: async (body, upload) => {
      await save(base.id, { ...body, updated_at: base.updated_at }, upload);
      setConflict(null);
    },
    handleError: async (error) => {
      if (!(error instanceof ApiError && error.status === 409)) return toFormFailure(error);
      return rebaseOnStored().catch(toFormFailure);
    },
  });

  const toFormFailure = (error: unknown) => ({ message: messageOf(error, fallbackErrorText), hint: hintOf(error) });

  /** After a conflict: loads the stored record and applies to it what was typed here. */
  async function rebaseOnStored() {
    const stored = await fetchStored(base.id);
    const typed = state.form.getValues();
    const merged = mergeRecord(recordToFormValues(base), typed, recordToFormValues(stored));
    state.form.setInitialValues(recordToFormValues(stored));
    state.form.setValues(merged.values);
    setBase(stored);
    setConflict({
      stored: recordToFormValues(stored),
      typed,
      fields: merged.differing,
      proofChanged: proofPath(stored) !== proofPath(base),
    });
    return null;
  }

  return { state, base, conflict };
}
