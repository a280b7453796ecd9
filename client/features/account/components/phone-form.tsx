import { TextInput } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SettingSwitch } from '#client/ui/fields/setting-switch.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import type { AccountAnswer } from '#shared/api/users.ts';
import { formatPhone, readPhone } from '#shared/domain/users/phone.ts';
import { fieldTexts } from '#shared/texts.ts';
import { accountKeys, changePhone } from '../api.ts';
import {
  NO_OWN_SECRET,
  OwnSecretField,
  ownSecretBody,
  ownSecretError,
} from '#client/features/users/display/own-secret-field.tsx';

const toValues = ({ phone, phone_consent }: AccountAnswer) => ({
  phone: phone ? formatPhone(phone) : '',
  phone_consent,
  ...NO_OWN_SECRET,
});
type Values = ReturnType<typeof toValues>;

const isOtherPhone = ({ phone }: Values, user: AccountAnswer): boolean => readPhone(phone) !== user.phone;

function errorsOf(values: Values, user: AccountAnswer): Record<string, string> {
  const isPhone = values.phone.trim() === '' || readPhone(values.phone) !== null;
  if (!isPhone) return { phone: fieldTexts.phoneInvalid };
  return isOtherPhone(values, user) ? ownSecretError(user, values) : {};
}

/** The own mobile number, by which the office may know its owner one day (docs/requirements.md R-ACCESS-10). */
export function PhoneSection() {
  const { data: user } = useQuery(ownUserQuery);
  return user ? <PhoneForm user={user} /> : null;
}

function PhoneForm({ user }: { user: AccountAnswer }) {
  const queryClient = useQueryClient();
  const { form, ...state } = useSavedForm({
    initialValues: toValues(user),
    validate: (values) => errorsOf(values, user),
    fallbackErrorText: 'Gagal memperbarui profil',
    save: async (values) => {
      const { phone, phone_consent } = values;
      const own = isOtherPhone(values, user) ? ownSecretBody(user, values) : {};
      const stored = await changePhone({ phone, phone_consent, ...own });
      // First the initial values, so that the form has no unsaved input any more.
      form.setInitialValues(toValues(stored));
      form.setValues(toValues(stored));
      queryClient.setQueryData(accountKeys.user, stored);
      notify.success('Profil berhasil diperbarui');
      for (const queryKey of [accountKeys.sessions, accountKeys.securityLog])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  return (
    <SectionForm
      state={state}
      label="Nomor HP"
      title="Nomor HP"
      text="Untuk minta kode masuk bila lupa password. Kantor dapat mengenali Anda lewat nomor ini setelah 7 hari."
      save={{ label: 'Simpan nomor', name: 'Simpan nomor (Save)', icon: IconDeviceFloppy }}
    >
      <TextInput
        label="Nomor HP"
        description="Contoh 0812-3456-7890. Kosongkan bila tidak ada."
        type="tel"
        autoComplete="tel"
        {...form.getInputProps('phone')}
      />
      <SettingSwitch
        label="Kantor boleh menghubungi saya di nomor ini"
        description="Lewat telepon atau WhatsApp"
        checked={form.values.phone_consent}
        onChange={(mayContact) => form.setFieldValue('phone_consent', mayContact)}
      />
      {isOtherPhone(form.values, user) ? (
        <OwnSecretField
          user={user}
          description="Diperlukan untuk nomor baru. Perangkat lain langsung keluar dari akun Anda."
          inputPropsOf={form.getInputProps}
        />
      ) : null}
    </SectionForm>
  );
}
