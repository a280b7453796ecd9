import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError, messageOf } from '#client/lib/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { RedirectNotice } from '#client/ui/form/redirect-notice.tsx';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { REDIRECT_AFTER_EDIT_MS } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { fetchRecord, recordQuery, reloadRecords } from '../api.ts';
import { updateRecord } from '../form/send-record.ts';
import { proofUrl } from '../display/proof-url.ts';
import { isRecordId } from '../display/record-id.ts';
import { RecordSkeleton } from '../display/record-skeleton.tsx';
import { ConflictPanel } from '../form/conflict-panel.tsx';
import { withField } from '../form/merge-record.ts';
import { hasMissingRecordFields } from '../form/missing-fields.ts';
import { RecordForm } from '../form/record-form.tsx';
import { useRecordEdit } from '../form/use-record-edit.ts';
import { recordPaths, type RecordScope } from '../scope.ts';
import { scopeTexts } from './scope-texts.ts';
import { useQuotaNotice } from './use-quota-notice.ts';
import { editErrors } from './validate-record.ts';

type Props = { scope: RecordScope; renderOwner?: (owner: TaxRecord['user']) => ReactNode };

/** The page that edits one record (R-REC-18, R-REC-24). */
export function RecordEditPage({ scope, renderOwner }: Props) {
  const texts = scopeTexts[scope];
  const { list } = recordPaths[scope];
  usePageTitle(texts.edit.title);
  const { id = '' } = useParams();
  const isValidId = isRecordId(id);
  const { data, error, isFetchedAfterMount } = useQuery({
    ...recordQuery(scope, id),
    enabled: isValidId,
    // The form begins with what is stored now, and no refetch replaces what is being typed.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  if (!isValidId) return <RedirectNotice to={list} {...texts.invalidId} />;
  if (isFetchedAfterMount && error && !data) {
    const isMissing = error instanceof ApiError && error.status === 404;
    return (
      <RedirectNotice
        to={list}
        title={isMissing ? texts.missingTitle : 'Data tidak dapat dibuka'}
        toast={messageOf(error, isMissing ? texts.missing : texts.loadFailed)}
      />
    );
  }
  return (
    <>
      <BackHeader to={list} title={texts.edit.title} description={texts.edit.description} />
      {isFetchedAfterMount && data ? (
        <EditForm key={id} scope={scope} loaded={data}>
          {renderOwner?.(data.user)}
        </EditForm>
      ) : (
        <RecordSkeleton />
      )}
    </>
  );
}

function EditForm({ scope, loaded, children }: { scope: RecordScope; loaded: TaxRecord; children: ReactNode }) {
  const queryClient = useQueryClient();
  const texts = scopeTexts[scope].edit;
  const { list } = recordPaths[scope];
  const { state, base, conflict } = useRecordEdit({
    loaded,
    validate: editErrors[scope],
    onInvalid: (errors) => {
      if (hasMissingRecordFields(errors)) notify.warning(texts.incomplete);
      else if (errors['payment_date']) notify.warning(fieldTexts.paymentDateRequired);
    },
    save: async (id, body, upload) => {
      await updateRecord(scope, id, body, upload);
      notify.success(texts.done);
      void reloadRecords(queryClient);
    },
    fetchStored: (id) => fetchRecord(scope, id),
    fallbackErrorText: texts.failed,
  });
  const notice = useQuotaNotice(
    { scope, ownerId: base.user_id, isNewRecord: false, hasStoredProof: base.payment_proof !== null },
    state.proof,
  );
  useDelayedRedirect(state.saved ? list : null, REDIRECT_AFTER_EDIT_MS);

  return (
    <RecordForm
      state={state}
      cancelTo={list}
      isAdminForm={scope === 'admin'}
      proofUrl={proofUrl(base.payment_proof)}
      saveLabel="Simpan Perubahan"
      notice={notice}
    >
      {conflict ? (
        <ConflictPanel
          key={base.updated_at}
          conflict={conflict}
          values={state.form.values}
          onChoose={(field, from) => state.form.setValues(withField(state.form.getValues(), from, field))}
        />
      ) : null}
      {children}
    </RecordForm>
  );
}
