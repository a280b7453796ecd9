import { Paper, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { LeaveNotice } from '#client/ui/form/leave-notice.tsx';
import { ConflictPanel } from '../form/conflict-panel.tsx';
import { withField } from '../form/merge-record.ts';
import { isIncomplete } from '../form/missing-fields.ts';
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
import { fetchRecord, recordQuery, updateRecord } from './api.ts';
import { reloadRecords } from './reload.ts';
import { editErrors } from './validate.ts';

function EditForm({ loaded }: { loaded: TaxRecord }) {
  const queries = useQueryClient();
  const { state, base, conflict } = useRecordEdit({
    loaded,
    errorsOf: editErrors,
    onInvalid: (errors) => {
      if (isIncomplete(errors)) notify.warning(fieldTexts.adminEditIncomplete);
      else if (errors['payment_date']) notify.warning(fieldTexts.paymentDateRequired);
    },
    save: async (id, body, upload) => {
      await updateRecord(id, body, upload);
      notify.success('Data pajak berhasil diperbarui');
      void reloadRecords(queries);
    },
    fetchStored: fetchRecord,
    failedText: 'Gagal memperbarui data pajak',
  });
  useDelayedRedirect(state.saved ? paths.adminRecords : null, REDIRECT_AFTER_EDIT_MS);

  return (
    <RecordForm
      state={state}
      cancelTo={paths.adminRecords}
      office
      proofUrl={proofUrl(base.payment_proof)}
      saveLabel="Simpan Perubahan"
    >
      {conflict ? (
        <ConflictPanel
          key={base.updated_at}
          conflict={conflict}
          values={state.form.values}
          onTake={(field, from) => state.form.setValues(withField(state.form.getValues(), from, field))}
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
  const valid = isRecordId(id);
  const { data, error, isFetchedAfterMount } = useQuery({
    ...recordQuery(id ?? ''),
    enabled: valid,
    // A form begins from what is stored now, and is not disturbed while somebody types.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  const missing = !valid || (error instanceof ApiError && error.status === 404);
  if (!valid || (isFetchedAfterMount && error && !data)) {
    return (
      <LeaveNotice
        to={paths.adminRecords}
        title={missing ? 'Data Pajak Tidak Ditemukan' : 'Data tidak dapat dibuka'}
        toast={missing ? errorTexts.adminRecordMissing : messageOf(error, 'Gagal memuat data pajak')}
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
