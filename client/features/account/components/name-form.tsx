import { Stack, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { type SessionUser, updateSessionUser } from '#client/lib/session.ts';
import { changeNameBody } from '#shared/api/auth.ts';
import { NAME_MAX } from '#shared/limits.ts';
import { accountKeys, changeName } from '../api.ts';
import classes from '../account.module.css';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';

const validate = schemaResolver(changeNameBody, { sync: true });

export function NameForm({ user }: { user: SessionUser }) {
  const queryClient = useQueryClient();
  const { form, failure, busy, onSubmit } = useSavedForm({
    initialValues: { name: user.name },
    validate,
    fallbackErrorText: 'Gagal memperbarui profil',
    save: async ({ name }) => {
      const stored = await changeName(name);
      // First the initial values, so that the form has no unsaved input any more.
      form.setInitialValues({ name: stored.name });
      form.setValues({ name: stored.name });
      updateSessionUser(stored);
      queryClient.setQueryData(accountKeys.user, stored);
      notify.success('Profil berhasil diperbarui');
      // Lists show the name too.
      void queryClient.invalidateQueries({ queryKey: ['users'] });
      void queryClient.invalidateQueries({ queryKey: ['tax-records'] });
    },
  });

  return (
    <form noValidate onSubmit={onSubmit} aria-label="Profil">
      <FormSection title="Profil" text="Nama ini terlihat dalam percakapan dan pada data Anda.">
        <Stack gap="md">
          {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
          <TextInput label="Nama" required maxLength={NAME_MAX} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label="Email"
            description={user.is_admin ? 'Dapat diubah di Kelola Users.' : 'Untuk mengubahnya, hubungi administrator.'}
            value={user.email}
            readOnly
            className={classes['readOnly'] ?? ''}
          />
          <div className={classes['buttons']}>
            <SaveButton
              busy={busy}
              aria-label="Simpan nama (Save)"
              leftSection={<IconDeviceFloppy size={18} aria-hidden />}
            >
              Simpan nama
            </SaveButton>
          </div>
        </Stack>
      </FormSection>
    </form>
  );
}
