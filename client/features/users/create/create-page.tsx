import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { IconId, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { PasswordField } from '#client/ui/fields/password-field.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { useDelayedRedirect } from '#client/ui/form/use-delayed-redirect.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, REDIRECT_AFTER_ADMIN_CREATE_MS } from '#shared/limits.ts';
import { AssistedDialog, type AssistedRequest } from '../display/assisted/assisted-dialog.tsx';
import classes from './create-page.module.css';
import { useCreateForm } from './use-create-form.ts';

/** /admin/users/create (docs/requirements.md R-USER-11). */
export function UserCreatePage() {
  usePageTitle('Tambah User');
  const { form, onSubmit, busy, saved, failure } = useCreateForm();
  const [assisted, setAssisted] = useState<AssistedRequest | null>(null);
  const navigate = useNavigate();
  useDelayedRedirect(saved ? paths.adminUsers : null, REDIRECT_AFTER_ADMIN_CREATE_MS);

  return (
    <>
      <BackHeader to={paths.adminUsers} title="Tambah User" description="Akun baru untuk warga atau administrator." />
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          <FormSection
            title="Warga tanpa email?"
            text="Buat akun dengan kartu dan PIN, tanpa email dan password."
            action={
              <Button
                variant="default"
                leftSection={<IconId size={18} aria-hidden />}
                onClick={() => setAssisted({ name: '', objects: [] })}
              >
                Buat akun warga
              </Button>
            }
          />
          <FormSection title="Akun" text="Dengan email dan password ini pengguna masuk.">
            <TextInput label="Nama" required maxLength={NAME_MAX} autoComplete="off" {...form.getInputProps('name')} />
            <TextInput
              label="Email"
              type="email"
              required
              maxLength={EMAIL_MAX}
              autoComplete="off"
              {...form.getInputProps('email')}
            />
            <PasswordField
              label="Password"
              description="Minimal 6 karakter. Sampaikan kepada pengguna, yang dapat menggantinya sendiri."
              required
              maxLength={PASSWORD_MAX}
              autoComplete="new-password"
              {...form.getInputProps('password')}
            />
          </FormSection>
          <FormSection title="Hak akses" text="Dapat diubah lagi kapan saja.">
            <Checkbox
              size="md"
              label="Pengguna Aktif"
              description="Hanya pengguna aktif yang dapat masuk."
              {...form.getInputProps('is_active', { type: 'checkbox' })}
            />
            <Checkbox
              size="md"
              label="Hak Akses Admin"
              description="Dapat mengelola semua pengguna dan semua data PBB."
              {...form.getInputProps('is_admin', { type: 'checkbox' })}
            />
          </FormSection>
          <FormFailure failure={failure} />
          <div className={classes['buttons']}>
            <Button component={Link} to={paths.adminUsers} variant="default" aria-label="Batal (Cancel)">
              Batal
            </Button>
            <SaveButton
              busy={busy || saved}
              aria-label="Simpan (Save)"
              leftSection={<IconUserPlus size={18} aria-hidden />}
            >
              Simpan
            </SaveButton>
          </div>
        </Stack>
      </form>
      <AssistedDialog
        request={assisted}
        onClose={(account) => {
          setAssisted(null);
          if (account) void navigate(paths.adminUser(account.id));
        }}
      />
    </>
  );
}
