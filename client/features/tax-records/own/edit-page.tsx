import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { ApiError, messageOf } from '#client/lib/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { proofUrl } from '../display/proof-url.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { REDIRECT_AFTER_EDIT_MS } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { fetchOwnRecord, ownRecordQuery } from '../api.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { ConflictPanel } from '../form/conflict-panel.tsx';
import { RedirectNotice } from '#client/ui/form/redirect-notice.tsx';
import { RecordForm } from '../form/record-form.tsx';
import { RecordSkeleton } from '../display/record-skeleton.tsx';
import { reloadOwnRecords } from '../keys.ts';
import { withField } from '../form/merge-record.ts';
import { isRecordId } from '../display/record-id.ts';
import { saveOwnRecordEdit } from './save-record.ts';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { useRecordEdit } from '../form/use-record-edit.ts';
import { hasMissingRecordFields } from '../form/missing-fields.ts';
import { ownEditErrors } from '../pages/validate-record.ts';

const FAILED = 'Gagal memperbarui data PBB';

function EditForm({ loaded }: { loaded: TaxRecord }) {
  const queryClient = useQueryClient();
  const { state, base, conflict } = useRecordEdit({
    loaded,
    validate: ownEditErrors,
    onInvalid: (errors) => {
      if (hasMissingRecordFields(errors)) notify.warning(fieldTexts.userEditIncomplete);
    },
    save: async (id, body, upload) => {
      await saveOwnRecordEdit(id, body, upload);
      notify.success('Data PBB berhasil diperbarui');
      void reloadOwnRecords(queryClient);
    },
    fetchStored: fetchOwnRecord,
    fallbackErrorText: FAILED,
  });
  useDelayedRedirect(state.saved ? paths.records : null, REDIRECT_AFTER_EDIT_MS);

  return (
    <RecordForm
      state={state}
      cancelTo={paths.records}
      proofUrl={proofUrl(base.payment_proof)}
      saveLabel="Simpan Perubahan"
    >
      {conflict ? (
        <ConflictPanel
          key={base.updated_at}
          conflict={conflict}
          values={state.form.values}
          onChoose={(field, from) => state.form.setValues(withField(state.form.getValues(), from, field))}
        />
      ) : null}
    </RecordForm>
  );
}

/** Specification 2.3, /tax-records/{id}/edit. */
export function OwnRecordEditPage() {
  usePageTitle('Edit Data PBB');
  const { id } = useParams();
  const isValidId = isRecordId(id);
  const { data, error, isFetchedAfterMount } = useQuery({
    ...ownRecordQuery(id ?? ''),
    enabled: isValidId,
    // A form begins from what is stored now, and is not disturbed while somebody types.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  if (!isValidId) return <RedirectNotice to={paths.records} title="ID Data Tidak Valid" toast="ID data tidak valid" />;
  if (isFetchedAfterMount && error && !data) {
    const isMissing = error instanceof ApiError && error.status === 404;
    return isMissing ? (
      <RedirectNotice
        to={paths.records}
        title="Data PBB Tidak Ditemukan"
        toast={messageOf(error, errorTexts.recordMissing)}
      />
    ) : (
      <RedirectNotice
        to={paths.records}
        title="Data tidak dapat dibuka"
        toast={messageOf(error, 'Gagal memuat data PBB')}
      />
    );
  }
  return (
    <>
      <BackHeader to={paths.records} title="Edit Data PBB" description="Isilah kolom bertanda * sesuai SPPT Anda." />
      {isFetchedAfterMount && data ? <EditForm key={id} loaded={data} /> : <RecordSkeleton />}
    </>
  );
}
