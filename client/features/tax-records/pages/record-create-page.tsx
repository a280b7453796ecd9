import { useQueryClient } from '@tanstack/react-query';
import type { FormErrors } from '@mantine/form';
import type { ReactNode } from 'react';
import { ApiError } from '#client/lib/api/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { reloadRecords } from '../api.ts';
import { createRecord } from '../form/send-record.ts';
import { useOpenYear, YEARS_AT_FIRST } from '../form/open-years.ts';
import type { RecordFormValues } from '../form/record-form-values.ts';
import { RecordForm } from '../form/record-form.tsx';
import { type FormFailure, type RecordFormState, useRecordForm } from '../form/use-record-form.ts';
import { recordPaths, type RecordScope } from '../scope.ts';
import { scopeTexts } from './scope-texts.ts';
import { useQuotaNotice } from './use-quota-notice.ts';

type Props = {
  scope: RecordScope;
  initialValues: RecordFormValues;
  /** The years that a user may choose; left out while they are not known, and for admins. */
  openYears?: readonly number[] | undefined;
  /** Set when an admin creates the record for this user. */
  ownerId?: string;
  validate: (values: RecordFormValues) => FormErrors;
  onInvalid?: (errors: FormErrors) => void;
  toFormFailure: (error: unknown) => FormFailure;
  redirectAfterMs: number;
  /** Another way than the form, behind its description. */
  descriptionLink?: ReactNode;
  /** Drawn above the fields. */
  renderTop?: (form: RecordFormState['form']) => ReactNode;
};

/** The page that creates a record (R-REC-15, R-REC-22). */
export function RecordCreatePage({
  scope,
  ownerId,
  openYears,
  redirectAfterMs,
  descriptionLink,
  renderTop,
  toFormFailure,
  ...options
}: Props) {
  const texts = scopeTexts[scope].create;
  const { list } = recordPaths[scope];
  usePageTitle(texts.title);
  const queryClient = useQueryClient();
  const state = useRecordForm({
    ...options,
    save: async (body, upload) => {
      const stored = await createRecord(scope, ownerId === undefined ? body : { ...body, user_id: ownerId }, upload);
      notify.success(texts.done);
      // An admin may have closed the year while the form was open.
      if (stored.year !== body.year) notify.warning(`Data disimpan sebagai tahun pajak ${stored.year}.`);
      void reloadRecords(queryClient);
    },
    handleError: async (error) => toFormFailure(error),
  });
  const notice = useQuotaNotice(
    { scope, ownerId: ownerId ?? '', isNewRecord: true, hasStoredProof: false },
    state.proof,
  );
  useOpenYear(state.form, openYears);
  useDelayedRedirect(state.saved ? list : null, redirectAfterMs);

  return (
    <>
      <BackHeader
        to={list}
        title={texts.title}
        description={
          <>
            {texts.description} {descriptionLink}
          </>
        }
      />
      <RecordForm
        state={state}
        cancelTo={list}
        isAdminForm={scope === 'admin'}
        isNew
        years={openYears ?? YEARS_AT_FIRST}
        saveLabel="Simpan"
        notice={notice}
      >
        {renderTop?.(state.form)}
      </RecordForm>
    </>
  );
}

/** Whether the call ran into its time limit. The server may have stored the record without an answer. */
export function hasTimedOut(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'timeout';
}
