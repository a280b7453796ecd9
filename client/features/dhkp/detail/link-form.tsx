import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { groupBy } from '#client/lib/group-by.ts';
import { userRecordsQuery } from '#client/features/tax-records/display/user-records/queries.ts';
import { formatRecordValue } from '#client/features/tax-records/display/record-field-texts.ts';
import { type PickedUser, UserPicker } from '#client/features/users/display/user-picker.tsx';
import { paths } from '#client/paths.ts';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { ASSESSED_FIELDS, type AssessedField } from '#shared/domain/tax-records/assessed-fields.ts';
import { taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { fieldTexts } from '#shared/texts.ts';
import { linkObject, reloadList } from '../api.ts';
import { replacedValues, type ReplacedValue } from './replaced-values.ts';

/** Links an object to an account, with the office's values where the account has typed others. */
export function LinkForm({ assessment }: { assessment: Assessment & { history: readonly Assessment[] } }) {
  const queryClient = useQueryClient();
  const [user, setUser] = useState<PickedUser | null>(null);
  const [overwrite, setOverwrite] = useState<readonly AssessedField[]>([]);
  const [isUserMissing, setIsUserMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const records = useQuery({ ...userRecordsQuery(user?.id ?? ''), enabled: user !== null });
  const replaced = user && records.data ? replacedValues(assessment.history, records.data.data) : [];
  const byField = groupBy(replaced, ({ field }) => field);

  const { submit, busy } = useSubmit(async () => {
    if (user === null) return setIsUserMissing(true);
    setFailure(null);
    try {
      await linkObject(
        assessment.id,
        user.id,
        overwrite.filter((field) => byField.has(field)),
      );
      notify.success(`Objek terhubung dengan ${user.name}`);
    } catch (error) {
      setFailure(failureOf(error, 'Objek gagal dihubungkan'));
    }
    await reloadList(queryClient);
  });

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void submit();
  }

  return (
    <form noValidate aria-label="Hubungkan dengan akun" onSubmit={onSubmit}>
      <Stack gap="md">
        <FormFailure failure={failure} />
        <UserPicker
          label="Hubungkan dengan akun"
          description={
            <>
              Akun itu mendapat data PBB untuk tiap tahun di daftar. Belum tahu pemiliknya? Lihat{' '}
              <Anchor component={Link} to={paths.adminDhkpMatches(assessment.year)} inherit underline="always">
                calon pemilik
              </Anchor>
              .
            </>
          }
          placeholder="Nama atau email"
          clearable
          value={user?.id ?? ''}
          error={isUserMissing && user === null ? fieldTexts.pickUser : undefined}
          onChange={(picked) => {
            setUser(picked);
            setOverwrite([]);
            setFailure(null);
          }}
        />
        {byField.size > 0 ? (
          <Checkbox.Group
            label="Pakai isi dari daftar kantor"
            description="Akun ini sudah punya data untuk NOP ini dengan isi yang lain. Yang tidak dicentang tetap seperti sekarang."
            value={[...overwrite]}
            onChange={(chosen) => setOverwrite(ASSESSED_FIELDS.filter((field) => chosen.includes(field)))}
          >
            <Stack gap="sm" mt="xs">
              {[...byField].map(([field, values]) => (
                <Checkbox
                  key={field}
                  value={field}
                  label={taxRecordFields[field].label}
                  description={values.map(replacementText).join(' · ')}
                  styles={{ description: { overflowWrap: 'anywhere' } }}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        ) : null}
        {records.error ? (
          <Text fz="sm" c="dimmed">
            Data akun ini gagal dimuat. Bila dihubungkan sekarang, isi datanya tidak diganti.
          </Text>
        ) : null}
        <Group justify="flex-end">
          <SaveButton busy={busy} busyLabel="Menghubungkan…" leftSection={<IconLink size={18} aria-hidden />}>
            Hubungkan
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

const replacementText = ({ field, year, own, office }: ReplacedValue): string =>
  `${year}: ${formatRecordValue(field, own)} → ${formatRecordValue(field, office)}`;
