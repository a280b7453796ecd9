import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type SessionUser, updateSessionUser } from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { changeNameBody } from '#shared/api/auth.ts';
import { NAME_MAX } from '#shared/limits.ts';
import { accountKeys, changeName } from '../api.ts';

const validate = schemaResolver(changeNameBody, { sync: true });

export function NameForm({ user }: { user: SessionUser }) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSavedForm({
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
    <SectionForm
      state={state}
      label="Profil"
      title="Profil"
      text="Nama ini terlihat dalam percakapan dan pada data Anda."
      save={{ label: 'Simpan nama', name: 'Simpan nama (Save)', icon: IconDeviceFloppy }}
    >
      <TextInput label="Nama" required maxLength={NAME_MAX} autoComplete="name" {...form.getInputProps('name')} />
    </SectionForm>
  );
}
