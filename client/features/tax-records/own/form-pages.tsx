import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError, hintOf } from '#client/lib/api/api-error.ts';
import { currentSession } from '#client/lib/session/session.ts';
import { useOffice } from '#client/features/office/display/use-office.ts';
import { paths } from '#client/paths.ts';
import { REDIRECT_AFTER_CREATE_MS } from '#shared/limits.ts';
import { suggestedYear, YEARS_AT_FIRST } from '../form/open-years.ts';
import { emptyRecord } from '../form/record-form-values.ts';
import type { FormFailure } from '../form/use-record-form.ts';
import { hasTimedOut, RecordCreatePage } from '../pages/record-create-page.tsx';
import { RecordEditPage } from '../pages/record-edit-page.tsx';
import { ownNewRecordErrors } from '../pages/validate-record.ts';

/** Three texts (R-REC-15): an answer with a message, an answer without one, and no answer. */
function toFormFailure(error: unknown): FormFailure {
  if (error instanceof ApiError && error.kind === 'http') {
    return { message: error.message ? `Error: ${error.message}` : 'Gagal menambahkan data PBB' };
  }
  const hint = hintOf(error);
  return {
    message: 'Terjadi kesalahan saat menambahkan data PBB',
    hint: hasTimedOut(error) ? `${hint} Data mungkin sudah tersimpan: lihat dulu daftar Data Pajak.` : hint,
  };
}

/** /tax-records/create (R-REC-15). */
export function OwnRecordCreatePage() {
  const openYears = useOffice().office?.user_years;
  // The name on the SPPT is mostly that of the account.
  const [initialValues] = useState(() => ({
    ...emptyRecord,
    name: currentSession()?.user?.name ?? '',
    year: suggestedYear(openYears ?? YEARS_AT_FIRST),
  }));
  return (
    <RecordCreatePage
      scope="own"
      initialValues={initialValues}
      openYears={openYears}
      validate={ownNewRecordErrors}
      toFormFailure={toFormFailure}
      redirectAfterMs={REDIRECT_AFTER_CREATE_MS}
      descriptionLink={
        <Anchor component={Link} to={paths.recordClaims} className="link-target" inherit underline="always">
          Ambil dari daftar kantor
        </Anchor>
      }
    />
  );
}

/** /tax-records/{id}/edit (R-REC-18). */
export function OwnRecordEditPage() {
  return <RecordEditPage scope="own" openYears={useOffice().office?.user_years} />;
}
