import { Textarea, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { SectionForm } from '#client/ui/form/section-form.tsx';
import { useSavedForm } from '#client/ui/form/use-saved-form.ts';
import { type OfficeIdentity, officeIdentityBody } from '#shared/api/office/office-identity.ts';
import { OFFICE_ADDRESS_MAX, OFFICE_NAME_MAX, OFFICE_PHONE_MAX, OFFICE_WHATSAPP_MAX } from '#shared/limits.ts';
import { type IdentityTexts, saveOfficeIdentity } from '../api.ts';

const validate = schemaResolver(officeIdentityBody, { sync: true });
const textsOf = ({ name, address, phone, whatsapp }: OfficeIdentity): IdentityTexts => ({
  name,
  address,
  phone,
  whatsapp,
});

type Props = { identity: OfficeIdentity; onStored: (identity: OfficeIdentity) => Promise<void> };

export function IdentityForm({ identity, onStored }: Props) {
  const { form, ...state } = useSavedForm({
    initialValues: textsOf(identity),
    validate,
    fallbackErrorText: 'Gagal menyimpan identitas kantor',
    save: async (values) => {
      // Only what was typed here: another admin may have changed the rest.
      const typed = Object.entries(values).filter(([field]) => form.isDirty(field));
      const stored = await saveOfficeIdentity(Object.fromEntries(typed));
      form.setInitialValues(textsOf(stored));
      form.setValues(textsOf(stored));
      await onStored(stored);
      notify.success('Identitas kantor berhasil disimpan');
    },
  });

  return (
    <SectionForm
      state={state}
      label="Identitas kantor"
      title="Nama dan alamat"
      save={{ label: 'Simpan', name: 'Simpan (Save)', icon: IconDeviceFloppy }}
    >
      <TextInput
        label="Nama kantor"
        placeholder="Kantor Desa Sukamaju"
        maxLength={OFFICE_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Alamat"
        placeholder="Jl. Raya Sukamaju No. 1, Kec. Cikole"
        autosize
        minRows={2}
        maxLength={OFFICE_ADDRESS_MAX}
        autoComplete="off"
        {...form.getInputProps('address')}
      />
      <TextInput
        label="Telepon"
        type="tel"
        description="Juga tampil untuk warga yang lupa password, dan saat kantor tutup"
        maxLength={OFFICE_PHONE_MAX}
        autoComplete="off"
        {...form.getInputProps('phone')}
      />
      <TextInput
        label="WhatsApp"
        type="tel"
        placeholder="0812-3456-7890"
        maxLength={OFFICE_WHATSAPP_MAX}
        autoComplete="off"
        {...form.getInputProps('whatsapp')}
      />
    </SectionForm>
  );
}
