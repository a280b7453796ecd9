import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '#client/paths.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { hasMissingRecordFields } from '../form/missing-fields.ts';
import { emptyRecord } from '../form/record-form-values.ts';
import { RecordForm } from '../form/record-form.tsx';
import { useRecordForm } from '../form/use-record-form.ts';
import { type PickedUser, UserPicker } from '#client/features/users/display/user-picker.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api-error.ts';
import { today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { REDIRECT_AFTER_ADMIN_CREATE_MS } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { createRecordAsAdmin } from './api.ts';
import { reloadAdminRecords } from './reload.ts';
import { adminNewRecordErrors } from './validate-record.ts';

const MAYBE_SAVED = 'Data mungkin sudah tersimpan: lihat dulu daftarnya.';

/** Specification 2.4, /admin/tax-records/create. */
export function AdminRecordCreatePage() {
  usePageTitle('Tambah Data Pajak (Admin)');
  const queryClient = useQueryClient();
  const [initial] = useState(() => ({ ...emptyRecord, year: yearOf(today()) }));
  const [owner, setOwner] = useState<PickedUser | null>(null);

  const state = useRecordForm({
    initialValues: initial,
    validate: (values) => adminNewRecordErrors(values, owner?.id ?? ''),
    onInvalid: (errors) => {
      if (errors['user_id']) notify.warning(fieldTexts.pickUser);
      else if (hasMissingRecordFields(errors)) notify.warning(fieldTexts.adminCreateIncomplete);
    },
    save: async (body, upload) => {
      await createRecordAsAdmin({ ...body, user_id: owner?.id ?? '' }, upload);
      notify.success('Data pajak berhasil ditambahkan');
      void reloadAdminRecords(queryClient);
    },
    handleError: async (error) => {
      const timedOut = error instanceof ApiError && error.kind === 'timeout';
      const hint = hintOf(error);
      return {
        message: messageOf(error, 'Gagal menambahkan data pajak'),
        hint: timedOut ? `${hint} ${MAYBE_SAVED}` : hint,
      };
    },
  });
  useDelayedRedirect(state.saved ? paths.adminRecords : null, REDIRECT_AFTER_ADMIN_CREATE_MS);

  return (
    <>
      <BackHeader
        to={paths.adminRecords}
        title="Tambah Data Pajak (Admin)"
        description="Mencatat PBB atas nama seorang user."
      />
      <RecordForm state={state} cancelTo={paths.adminRecords} isAdminForm saveLabel="Simpan">
        <FormSection title="User" text="Akun yang memiliki dan melihat data ini.">
          <UserPicker
            label="User"
            required
            placeholder="Cari nama atau email"
            value={owner?.id ?? ''}
            onChange={(user) => {
              setOwner(user);
              state.form.clearFieldError('user_id');
              // The name on the SPPT is mostly that of the account; what was typed already counts more.
              if (user && state.form.getValues().name.trim() === '') state.form.setFieldValue('name', user.name);
            }}
            error={state.form.errors['user_id']}
          />
        </FormSection>
      </RecordForm>
    </>
  );
}
