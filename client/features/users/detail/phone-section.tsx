import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { type AdminAccountAnswer, updateUserBody } from '#shared/api/users.ts';
import { formatPhone } from '#shared/domain/users/phone.ts';
import { updateUser } from '../api.ts';
import { reloadUsers } from '../keys.ts';

const toValues = ({ phone, phone_consent }: Pick<AdminAccountAnswer, 'phone' | 'phone_consent'>) => ({
  phone: phone ? formatPhone(phone) : '',
  phone_consent,
});

const validate = schemaResolver(updateUserBody, { sync: true });

/** The phone number of a person without an e-mail address. The office may type it for them (docs/requirements.md R-ACCESS-56). */
export function PhoneSection({ user }: { user: AdminAccountAnswer }) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSavedForm({
    initialValues: toValues(user),
    validate,
    fallbackErrorText: 'Gagal memperbarui user',
    save: async (values) => {
      const stored = await updateUser(user.id, values);
      // First the initial values, so that the form has no unsaved input any more.
      form.setInitialValues(toValues(stored));
      form.setValues(toValues(stored));
      notify.success('User berhasil diperbarui');
      await reloadUsers(queryClient);
    },
  });
  return (
    <SectionForm
      state={state}
      label="Nomor HP"
      title="Nomor HP"
      text="Untuk minta masuk lagi. Orangnya melihat di catatan keamanannya bahwa kantor mengubahnya."
      save={{ label: 'Simpan nomor', name: 'Simpan nomor (Save)', icon: IconDeviceFloppy }}
    >
      <TextInput
        label="Nomor HP"
        description="Boleh kosong, atau nomor keluarga."
        type="tel"
        autoComplete="off"
        {...form.getInputProps('phone')}
      />
      <SettingSwitch
        label="Kantor boleh menghubungi orang ini di nomor itu"
        description="Tanyakan dulu kepadanya"
        checked={form.values.phone_consent}
        onChange={(mayContact) => form.setFieldValue('phone_consent', mayContact)}
      />
    </SectionForm>
  );
}
