import { Paper, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { RedirectNotice } from '#client/ui/form/redirect-notice.tsx';
import { ConflictPanel } from '../form/conflict-panel.tsx';
import { withField } from '../form/merge-record.ts';
import { hasMissingRecordFields } from '../form/missing-fields.ts';
import { RecordForm } from '../form/record-form.tsx';
import { useRecordEdit } from '../form/use-record-edit.ts';
import { RecordSkeleton } from '../display/record-skeleton.tsx';
import { ApiError, messageOf } from '#client/lib/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { proofUrl } from '../display/proof-url.ts';
import { isRecordId } from '../display/record-id.ts';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { REDIRECT_AFTER_EDIT_MS } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { fetchAdminRecord, adminRecordQuery, updateRecordAsAdmin } from './api.ts';
import { reloadAdminRecords } from './reload.ts';
import { adminEditErrors } from './validate-record.ts';

function EditForm({ loaded }: { loaded: TaxRecord }) {
  const queryClient = useQueryClient();
  const { state, base, conflict } = useRecordEdit({
    loaded,
    validate: adminEditErrors,
    onInvalid: (errors) => {
      if (hasMissingRecordFields(errors)) notify.warning(fieldTexts.adminEditIncomplete);
      else if (errors['payment_date']) notify.warning(fieldTexts.paymentDateRequired);
    },
    save: async (id, body, upload) => {
      await updateRecordAsAdmin(id, body, upload);
      notify.success('Data pajak berhasil diperbarui');
      void reloadAdminRecords(queryClient);
    },
    fetchStored: fetchAdminRecord,
    fallbackErrorText: 'Gagal memperbarui data pajak',
  });
  useDelayedRedirect(state.saved ? paths.adminRecords : null, REDIRECT_AFTER_EDIT_MS);

  return (
    <RecordForm
      state={state}
      cancelTo={paths.adminRecords}
      isAdminForm
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
      <Paper withBorder p="lg">
        <Text c="dimmed" fz="sm">
          Pemilik
        </Text>
        <Text fw={600}>{loaded.user.name}</Text>
        <Text style={{ overflowWrap: 'anywhere' }}>{loaded.user.email}</Text>
      </Paper>
    </RecordForm>
  );
}

/** Specification 2.4, /admin/tax-records/{id}/edit. */
export function AdminRecordEditPage() {
  usePageTitle('Edit Data Pajak');
  const { id } = useParams();
  const isValidId = isRecordId(id);
  const { data, error, isFetchedAfterMount } = useQuery({
    ...adminRecordQuery(id ?? ''),
    enabled: isValidId,
    // A form begins from what is stored now, and is not disturbed while somebody types.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  const isMissing = !isValidId || (error instanceof ApiError && error.status === 404);
  if (!isValidId || (isFetchedAfterMount && error && !data)) {
    return (
      <RedirectNotice
        to={paths.adminRecords}
        title={isMissing ? 'Data Pajak Tidak Ditemukan' : 'Data tidak dapat dibuka'}
        toast={isMissing ? errorTexts.adminRecordMissing : messageOf(error, 'Gagal memuat data pajak')}
      />
    );
  }
  return (
    <>
      <BackHeader to={paths.adminRecords} title="Edit Data Pajak" description="Kolom bertanda * wajib diisi." />
      {isFetchedAfterMount && data ? <EditForm key={id} loaded={data} /> : <RecordSkeleton />}
    </>
  );
}
