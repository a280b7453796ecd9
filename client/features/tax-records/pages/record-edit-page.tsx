import { Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError, messageOf } from '#client/lib/api/api-error.ts';
import { previousPath } from '#client/lib/previous-path.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { hasMissingFields } from '#client/ui/form/field-errors.ts';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { Loading } from '#client/ui/list/query-view.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { REDIRECT_AFTER_EDIT_MS, REDIRECT_AFTER_LOAD_ERROR_MS } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { fetchRecord, recordQuery, reloadRecords } from '../api.ts';
import { updateRecord } from '../form/send-record.ts';
import { proofUrl } from '../display/proof-url.ts';
import { isRecordId } from '../scope.ts';
import { ConflictPanel } from '../form/conflict-panel.tsx';
import { yearsOfEdit } from '../form/open-years.ts';
import { withField } from '../form/merge-record.ts';
import { RecordForm } from '../form/record-form.tsx';
import { useRecordEdit } from '../form/use-record-edit.ts';
import { recordPaths, type RecordScope } from '../scope.ts';
import { noteEditedRecord } from './edited-record.ts';
import { scopeTexts } from './scope-texts.ts';
import { useQuotaNotice } from './use-quota-notice.ts';
import { editErrors, requiredRecordTexts } from './validate-record.ts';

type Props = {
  scope: RecordScope;
  /** The years that are open for users; left out while they are not known, and for admins. */
  openYears?: readonly number[] | undefined;
  renderOwner?: (owner: TaxRecord['user']) => ReactNode;
};

/** The page that edits one record (R-REC-18, R-REC-24). */
export function RecordEditPage({ scope, openYears, renderOwner }: Props) {
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
      <BackHeader
        to={list}
        isWayBack={wayBackOf(scope, id)}
        title={texts.edit.title}
        description={texts.edit.description}
      />
      {isFetchedAfterMount && data ? (
        <EditForm key={id} scope={scope} openYears={openYears} loaded={data}>
          {renderOwner?.(data.user)}
        </EditForm>
      ) : (
        <Loading text="Memuat data PBB…" rows={3} height={190} />
      )}
    </>
  );
}

/** Whether the form returns to the page before it: to the list or to the record, with all that was set there. */
const wayBackOf =
  (scope: RecordScope, id: string) =>
  (previous: string): boolean =>
    previous === recordPaths[scope].list || previous === recordPaths[scope].detail(id);

/** Until they are known, the record keeps its year. */
const NO_OPEN_YEARS: readonly number[] = [];

type EditFormProps = Pick<Props, 'scope' | 'openYears'> & { loaded: TaxRecord; children: ReactNode };

function EditForm({ scope, openYears = NO_OPEN_YEARS, loaded, children }: EditFormProps) {
  const queryClient = useQueryClient();
  const texts = scopeTexts[scope].edit;
  const { list, detail } = recordPaths[scope];
  const isWayBack = wayBackOf(scope, loaded.id);
  // The page from which the form was opened: the list with its search, or the record.
  const [previous] = useState(() => previousPath() ?? '');
  const { state, base, conflict } = useRecordEdit({
    loaded,
    validate: editErrors[scope],
    onInvalid: (errors) => {
      if (hasMissingFields(errors, requiredRecordTexts)) notify.warning(texts.incomplete);
      else if (errors['payment_date']) notify.warning(fieldTexts.paymentDateRequired);
    },
    save: async (id, body, upload) => {
      await updateRecord(scope, id, body, upload);
      notify.success(texts.done);
      if (previous !== detail(id)) noteEditedRecord(id);
      void reloadRecords(queryClient);
    },
    fetchStored: (id) => fetchRecord(scope, id),
    fallbackErrorText: texts.failed,
  });
  const notice = useQuotaNotice(
    { scope, ownerId: base.user_id, isNewRecord: false, hasStoredProof: base.payment_proof !== null },
    state.proof,
  );
  useDelayedRedirect(state.saved ? (isWayBack(previous) ? 'back' : list) : null, REDIRECT_AFTER_EDIT_MS);

  return (
    <RecordForm
      state={state}
      cancelTo={list}
      isAdminForm={scope === 'admin'}
      years={yearsOfEdit(openYears, base.year)}
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

/** Says why there is nothing to edit, then goes back to the list (docs/requirements.md R-REC-18, R-UI-11). */
function RedirectNotice({ to, title, toast }: { to: string; title: string; toast: string }) {
  useEffect(() => notify.error(toast), [toast]);
  useDelayedRedirect(to, REDIRECT_AFTER_LOAD_ERROR_MS);
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Title order={1} fz="h2" tabIndex={-1}>
          {title}
        </Title>
        <Text c="dimmed">Anda akan dibawa kembali ke daftar.</Text>
        <Loader size="sm" aria-hidden />
      </Stack>
    </Paper>
  );
}
