import { useQueryClient } from '@tanstack/react-query';
import { paths } from '#client/paths.ts';
import { ApiError, hintOf } from '#client/lib/api-error.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { REDIRECT_AFTER_CREATE_MS, USER_RECORD_YEAR } from '#shared/limits.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { RecordForm } from '../form/record-form.tsx';
import { reloadOwnRecords } from '../keys.ts';
import { emptyRecord } from '../form/record-form-values.ts';
import { saveNewOwnRecord } from './save-record.ts';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { type FormFailure, useRecordForm } from '../form/use-record-form.ts';
import { ownNewRecordErrors } from '../pages/validate-record.ts';

const newRecord = { ...emptyRecord, year: USER_RECORD_YEAR };

/** Specification 8: three texts, for a server that says why, one that does not, and none at all. */
function toFormFailure(error: unknown): FormFailure {
  const answered = error instanceof ApiError && error.kind === 'http';
  if (answered) return { message: error.message ? `Error: ${error.message}` : 'Gagal menambahkan data PBB' };
  const timedOut = error instanceof ApiError && error.kind === 'timeout';
  return {
    message: 'Terjadi kesalahan saat menambahkan data PBB',
    hint: timedOut ? `${hintOf(error)} Data mungkin sudah tersimpan: lihat dulu daftar Data Pajak.` : hintOf(error),
  };
}

/** Specification 2.3, /tax-records/create. */
export function OwnRecordCreatePage() {
  usePageTitle('Tambah Data PBB');
  const queryClient = useQueryClient();
  const state = useRecordForm({
    initialValues: newRecord,
    validate: ownNewRecordErrors,
    save: async (body, upload) => {
      await saveNewOwnRecord(body, upload);
      notify.success('Data PBB berhasil ditambahkan!');
      void reloadOwnRecords(queryClient);
    },
    handleError: async (error) => toFormFailure(error),
  });
  useDelayedRedirect(state.saved ? paths.records : null, REDIRECT_AFTER_CREATE_MS);

  return (
    <>
      <BackHeader to={paths.records} title="Tambah Data PBB" description="Isilah kolom bertanda * sesuai SPPT Anda." />
      <RecordForm state={state} cancelTo={paths.records} saveLabel="Simpan" />
    </>
  );
}
