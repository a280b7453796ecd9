import { Button, Textarea } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { LONG_TEXT_FIELDS, taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { LONG_TEXT_MAX } from '#shared/limits.ts';
import type { RecordFormValues } from './record-form-values.ts';

type Props = {
  values: RecordFormValues;
  errors: FormErrors;
  setField: UseFormReturnType<RecordFormValues>['setFieldValue'];
  isAdminForm: boolean;
};

/** The long texts of a record. Most records have none, so they are folded while they are empty. */
export function RecordNotes({ values, errors, setField, isAdminForm }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (wasOpened) first.current?.focus();
  }, [wasOpened]);
  // Once open it stays open, also when its last word is deleted.
  if (!isOpen && LONG_TEXT_FIELDS.some((field) => values[field] !== '' || errors[field] !== undefined)) setIsOpen(true);

  return (
    <FormSection
      // Names the long texts that exist. A further one needs another title, and no test notices.
      title="Deskripsi dan Catatan"
      text={isOpen ? (isAdminForm ? 'Terbaca juga oleh warga.' : 'Untuk mengingatkan Anda sendiri.') : undefined}
      action={
        isOpen ? undefined : (
          <Button
            variant="subtle"
            px={6}
            aria-label="Tambah catatan"
            aria-expanded={false}
            onClick={() => {
              setIsOpen(true);
              setWasOpened(true);
            }}
          >
            + Tambah catatan
          </Button>
        )
      }
    >
      {isOpen
        ? LONG_TEXT_FIELDS.map((field, index) => (
            <Textarea
              key={field}
              ref={index === 0 ? first : undefined}
              label={taxRecordFields[field].label}
              minRows={2}
              maxLength={LONG_TEXT_MAX}
              value={values[field]}
              onChange={(event) => setField(field, event.currentTarget.value)}
              error={errors[field]}
            />
          ))
        : null}
    </FormSection>
  );
}
