import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { AreaSelect } from '#client/features/areas/display/area-select.tsx';
import { UserPicker } from '#client/features/users/display/user-picker.tsx';
import { FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { ConflictChoices } from '#client/ui/form/conflict-choices.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { conditionLabels, OBJECT_CONDITIONS } from '#shared/domain/dhkp/list-states.ts';
import { HANDED_OUT_TO_MAX, LONG_TEXT_MAX } from '#shared/limits.ts';
import { type OfficeField, officeFieldLabels, officeValueText, sameOfficeField } from './office-values.ts';
import { useOfficeForm } from './use-office-form.ts';

/** The decisions of the office about an object. All else comes from files and is changed only by a file. */
export function OfficeForm({ assessment }: { assessment: Assessment }) {
  const { base, values, change, discard, isUnsaved, conflict, failure, busy, onSubmit } = useOfficeForm(assessment);

  function choiceOf(field: OfficeField): 'stored' | 'typed' | null {
    if (!conflict) return null;
    if (sameOfficeField(values, conflict.stored, field)) return 'stored';
    return sameOfficeField(values, conflict.typed, field) ? 'typed' : null;
  }

  return (
    <form noValidate onSubmit={onSubmit} aria-label="Catatan kantor">
      <Stack gap="md">
        {conflict ? (
          <ConflictChoices
            key={base.updated_at}
            fields={conflict.fields.map((field) => ({
              field,
              label: officeFieldLabels[field],
              stored: officeValueText(conflict.stored, field),
              typed: officeValueText(conflict.typed, field),
              choice: choiceOf(field),
            }))}
            onChoose={(field, version) => change({ [field]: conflict[version][field] })}
          />
        ) : null}
        <FormSection
          title="Catatan kantor"
          text="Wilayah dan kolektor diingat untuk NOP ini, jadi daftar tahun depan memakainya juga."
        >
          <FormFailure failure={failure} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <NativeSelect
              label={officeFieldLabels.condition}
              data={OBJECT_CONDITIONS.map((value) => ({ value, label: conditionLabels[value] }))}
              value={values.condition}
              onChange={(event) => {
                const chosen = OBJECT_CONDITIONS.find((each) => each === event.currentTarget.value);
                if (chosen) change({ condition: chosen });
              }}
            />
            <AreaSelect
              label={officeFieldLabels.area}
              placeholder="Tanpa wilayah sendiri"
              description={
                values.area === null && base.area !== null && base.own_area_id === null
                  ? `Dari berkas atau blok: ${base.area.path}`
                  : undefined
              }
              value={values.area?.id ?? ''}
              onChange={(id, path) => change({ area: id === '' ? null : { id, name: path } })}
            />
            <UserPicker
              label={officeFieldLabels.collector}
              placeholder="Tanpa kolektor"
              description={
                values.collector === null && base.file_collector !== null
                  ? `Menurut berkas: ${base.file_collector}`
                  : undefined
              }
              clearable
              value={values.collector?.id ?? ''}
              onChange={(user) => change({ collector: user === null ? null : { id: user.id, name: user.name } })}
            />
            <DateField
              label={officeFieldLabels.handed_out_on}
              value={values.handed_out_on}
              onChange={(handed_out_on) => change({ handed_out_on })}
            />
            <TextInput
              label={officeFieldLabels.handed_out_to}
              maxLength={HANDED_OUT_TO_MAX}
              autoComplete="off"
              value={values.handed_out_to}
              onChange={(event) => change({ handed_out_to: event.currentTarget.value })}
            />
          </SimpleGrid>
          <Textarea
            label={officeFieldLabels.note}
            maxLength={LONG_TEXT_MAX}
            value={values.note}
            onChange={(event) => change({ note: event.currentTarget.value })}
          />
          <Group justify="flex-end" gap="sm">
            {isUnsaved ? (
              <Button variant="default" onClick={discard}>
                Buang perubahan
              </Button>
            ) : null}
            <SaveButton busy={busy} aria-label="Simpan (Save)" leftSection={<IconDeviceFloppy size={18} aria-hidden />}>
              Simpan
            </SaveButton>
          </Group>
        </FormSection>
      </Stack>
    </form>
  );
}
