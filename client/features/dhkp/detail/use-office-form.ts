import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { type Failure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { fetchObject, reloadList, updateObject } from '../api.ts';
import {
  mergeOfficeValues,
  OFFICE_FIELDS,
  officeChangesOf,
  type OfficeField,
  type OfficeValues,
  officeValuesOf,
  sameOfficeField,
} from './office-values.ts';

type Conflict = { stored: OfficeValues; typed: OfficeValues; fields: OfficeField[] };

const SAVE_FAILED = 'Objek gagal disimpan';

/** The office's part of an object while it is edited. After a conflict it has both versions, and nothing typed is lost. */
export function useOfficeForm(loaded: Assessment) {
  const queryClient = useQueryClient();
  /** The object as the form began from it; after a conflict, as it is stored now. */
  const [base, setBase] = useState(loaded);
  const [typed, setTyped] = useState<OfficeValues | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const values = typed ?? officeValuesOf(base);
  const isUnsaved = !OFFICE_FIELDS.every((field) => sameOfficeField(values, officeValuesOf(base), field));
  useUnsavedWarning(isUnsaved);
  // Another change of the object is shown at once, unless something is typed over the old one.
  if (!isUnsaved && conflict === null && loaded.updated_at !== base.updated_at) {
    setBase(loaded);
    setTyped(null);
  }

  /** @returns whether the stored object differs from the one that the form began from */
  async function rebaseOnStored(): Promise<boolean> {
    try {
      const fetched = await fetchObject(base.id);
      // An import of the year that is being undone refuses a change, too.
      if (fetched.updated_at === base.updated_at) return false;
      const stored = officeValuesOf(fetched);
      const merged = mergeOfficeValues(officeValuesOf(base), values, stored);
      setBase(fetched);
      setTyped(merged.values);
      setConflict({ stored, typed: values, fields: merged.differing });
      return true;
    } catch (error) {
      setFailure(failureOf(error, SAVE_FAILED));
      return true;
    }
  }

  const { submit, busy } = useSubmit(async () => {
    setFailure(null);
    try {
      const stored = await updateObject(base.id, officeChangesOf(values), base.updated_at);
      setBase(stored);
      setTyped(null);
      setConflict(null);
      notify.success('Objek berhasil disimpan');
      void reloadList(queryClient);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && (await rebaseOnStored())) return;
      setFailure(failureOf(error, SAVE_FAILED));
    }
  });

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!focusInvalidDate(event.currentTarget)) void submit();
  }

  return {
    base,
    values,
    change: (changed: Partial<OfficeValues>) => setTyped({ ...values, ...changed }),
    discard: () => {
      setTyped(null);
      setConflict(null);
      setFailure(null);
    },
    isUnsaved,
    conflict,
    failure,
    busy,
    onSubmit,
  };
}
