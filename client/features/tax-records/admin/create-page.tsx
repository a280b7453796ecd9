import { useState } from 'react';
import { type PickedUser, UserPicker } from '#client/features/users/display/user-picker.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { yearOf } from '#shared/domain/dates.ts';
import { REDIRECT_AFTER_ADMIN_CREATE_MS } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { hasMissingRecordFields } from '../form/missing-fields.ts';
import { emptyRecord } from '../form/record-form-values.ts';
import type { FormFailure } from '../form/use-record-form.ts';
import { hasTimedOut, RecordCreatePage } from '../pages/record-create-page.tsx';
import { adminNewRecordErrors } from '../pages/validate-record.ts';

function toFormFailure(error: unknown): FormFailure {
  const hint = hintOf(error);
  return {
    message: messageOf(error, 'Gagal menambahkan data pajak'),
    hint: hasTimedOut(error) ? `${hint} Data mungkin sudah tersimpan: lihat dulu daftarnya.` : hint,
  };
}

/** /admin/tax-records/create (R-REC-22). */
export function AdminRecordCreatePage() {
  const [initialValues] = useState(() => ({ ...emptyRecord, year: yearOf(today()) }));
  const [owner, setOwner] = useState<PickedUser | null>(null);
  const ownerId = owner?.id ?? '';

  return (
    <RecordCreatePage
      scope="admin"
      initialValues={initialValues}
      ownerId={ownerId}
      validate={(values) => adminNewRecordErrors(values, ownerId)}
      onInvalid={(errors) => {
        if (errors['user_id']) notify.warning(fieldTexts.pickUser);
        else if (hasMissingRecordFields(errors)) notify.warning(fieldTexts.adminCreateIncomplete);
      }}
      toFormFailure={toFormFailure}
      redirectAfterMs={REDIRECT_AFTER_ADMIN_CREATE_MS}
      renderTop={(form) => (
        <FormSection title="User" text="Akun yang memiliki dan melihat data ini.">
          <UserPicker
            label="User"
            required
            placeholder="Cari nama atau email"
            value={ownerId}
            onChange={(user) => {
              setOwner(user);
              form.clearFieldError('user_id');
              // The name on the SPPT is mostly that of the account. A typed name is kept.
              if (user && form.getValues().name.trim() === '') form.setFieldValue('name', user.name);
            }}
            error={form.errors['user_id']}
          />
        </FormSection>
      )}
    />
  );
}
