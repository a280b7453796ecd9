import { emailText } from '#shared/domain/users/email-text.ts';
import { RecordEditPage } from '../pages/record-edit-page.tsx';
import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { userQuery } from '#client/features/users/api.ts';
import { type PickedUser, UserPicker } from '#client/features/users/display/user-picker.tsx';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { today } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { PageLoading } from '#client/ui/page/page-loading.tsx';
import { hasMissingFields } from '#client/ui/form/field-errors.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { REDIRECT_AFTER_ADMIN_CREATE_MS } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import { emptyRecord } from '../form/record-form-values.ts';
import type { FormFailure } from '../form/use-record-form.ts';
import { hasTimedOut, RecordCreatePage } from '../pages/record-create-page.tsx';
import { adminNewRecordErrors, requiredRecordTexts } from '../pages/validate-record.ts';

function toFormFailure(error: unknown): FormFailure {
  const hint = hintOf(error);
  return {
    message: messageOf(error, 'Gagal menambahkan data pajak'),
    hint: hasTimedOut(error) ? `${hint} Data mungkin sudah tersimpan: lihat dulu daftarnya.` : hint,
  };
}

/** /admin/tax-records/create (R-REC-22). `?pemilik={id}` names the owner in advance. */
export function AdminRecordCreatePage() {
  const [params] = useSearchParams();
  const givenId = params.get('pemilik') ?? '';
  const given = useQuery({ ...userQuery(givenId), enabled: givenId !== '' });
  if (givenId !== '' && given.isPending) return <PageLoading />;
  return <CreatePageFor key={givenId} givenOwner={given.data ?? null} />;
}

function CreatePageFor({ givenOwner }: { givenOwner: PickedUser | null }) {
  const [initialValues] = useState(() => ({
    ...emptyRecord,
    // The name on the SPPT is mostly that of the account.
    name: givenOwner?.name ?? '',
    year: yearOf(today()),
  }));
  const [owner, setOwner] = useState<PickedUser | null>(givenOwner);
  const ownerId = owner?.id ?? '';

  return (
    <RecordCreatePage
      scope="admin"
      initialValues={initialValues}
      ownerId={ownerId}
      validate={(values) => adminNewRecordErrors(values, ownerId)}
      onInvalid={(errors) => {
        if (errors['user_id']) notify.warning(fieldTexts.pickUser);
        else if (hasMissingFields(errors, requiredRecordTexts)) notify.warning(fieldTexts.adminCreateIncomplete);
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
              // A typed name is kept.
              if (user && form.getValues().name.trim() === '') form.setFieldValue('name', user.name);
            }}
            error={form.errors['user_id']}
          />
        </FormSection>
      )}
    />
  );
}

/** /admin/tax-records/{id}/edit (R-REC-24); shows the owner above the fields. */
export function AdminRecordEditPage() {
  return (
    <RecordEditPage
      scope="admin"
      renderOwner={({ name, email }) => (
        <Paper withBorder px="lg" py="sm">
          <Group gap="xs">
            <Text c="dimmed">Pemilik</Text>
            <Text fw={600}>{name}</Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{emailText(email)}</Text>
          </Group>
        </Paper>
      )}
    />
  );
}
