import type { FormErrors } from '@mantine/form';
import { useState } from 'react';
import type { ProofChoice } from './proof-field.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { Conflict } from './conflict-panel.tsx';
import { mergeRecord } from './merge-record.ts';
import { type RecordFormBody, type RecordFormValues, valuesOf } from './record-form-values.ts';
import { useRecordForm } from './use-record-form.ts';

export type EditBody = RecordFormBody & { updated_at: string };

type Options = {
  loaded: TaxRecord;
  errorsOf: (values: RecordFormValues) => FormErrors;
  onInvalid: (errors: FormErrors) => void;
  /** Sends the edit with the time it began from, and tells of its success. */
  save: (
    id: string,
    body: EditBody,
    upload: { proof: ProofChoice; onProgress: (share: number) => void },
  ) => Promise<unknown>;
  fetchStored: (id: string) => Promise<TaxRecord>;
  /** Told when the server says nothing itself (specification 8). */
  failedText: string;
};

/** Which image a record has; the signature of its link changes by itself. */
const proofFileOf = (record: TaxRecord) => record.payment_proof?.split('?')[0] ?? null;

/** The form of an edit. When somebody else saved first, both versions are shown and nothing that was typed is lost. */
export function useRecordEdit({ loaded, errorsOf, onInvalid, save, fetchStored, failedText }: Options) {
  /** What the form began from; after a conflict, what is stored now. */
  const [base, setBase] = useState(loaded);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const state = useRecordForm({
    initialValues: valuesOf(loaded),
    errorsOf,
    onInvalid,
    save: async (body, upload) => {
      await save(base.id, { ...body, updated_at: base.updated_at }, upload);
      setConflict(null);
    },
    failureOf: async (error) => {
      if (!(error instanceof ApiError && error.status === 409)) return failureOf(error);
      return takeNewBase().catch(failureOf);
    },
  });

  const failureOf = (error: unknown) => ({ message: messageOf(error, failedText), hint: hintOf(error) });

  /** Somebody else saved first: their record becomes the ground, with what was typed here on top of it. */
  async function takeNewBase() {
    const stored = await fetchStored(base.id);
    const typed = state.form.getValues();
    const merged = mergeRecord(valuesOf(base), typed, valuesOf(stored));
    state.form.setInitialValues(valuesOf(stored));
    state.form.setValues(merged.values);
    setBase(stored);
    setConflict({
      stored: valuesOf(stored),
      typed,
      fields: merged.differing,
      proofChanged: proofFileOf(stored) !== proofFileOf(base),
    });
    return null;
  }

  return { state, base, conflict };
}
