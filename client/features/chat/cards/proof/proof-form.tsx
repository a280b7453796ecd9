import { Button, Group, NativeSelect, Radio, Select, Stack, Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef } from 'react';
import { PaymentChoiceField, PaymentRadio } from '#client/features/tax-records/display/payment-choice.tsx';
import { PaymentDateField } from '#client/features/tax-records/display/payment-date-field.tsx';
import { splitAddress } from '#client/features/tax-records/display/record-labels.ts';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { formatRupiah, showDate } from '#client/lib/format.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { SaveButton } from '#client/ui/form/save-button.tsx';
import { Loading } from '#client/ui/list/query-view.tsx';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import { ESTIMATE_LABEL } from '#shared/rollover-texts.ts';
import { statusText } from '#client/features/tax-records/display/verification/verification-text.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import type { CardRecord, CardScope } from '../records/card-record.ts';
import { type ProofAct, useProofForm } from './use-proof-form.ts';

type Props = { attachment: Attachment; message: Message; onClose: () => void; onSaved: () => void };

/** More are found faster by typing. */
const PLAIN_LIST_MAX = 12;

/** The description of the chosen record stands below the field, which is too narrow for all of it. */
const FIELD_ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

const toAct = (value: string): ProofAct => (value === 'lunas' || value === 'keep' ? value : 'proses');

const choiceLabel = (record: CardRecord, scope: CardScope): string =>
  `PBB ${record.year} · ${splitAddress(record.address).place} · ${statusText(record, scope)}`;

/** Which record gets the photo, and what else is said about its payment; nothing is chosen beforehand but the record (R-CARD-31). */
export function ProofForm({ attachment, message, onClose, onSaved }: Props) {
  const form = useProofForm(attachment, message, onSaved);
  const { scope, records, loading, record, act, isPaid, failure, busy } = form;
  const element = useRef<HTMLFormElement>(null);
  const isLoaded = records !== undefined;
  // The first thing to choose, or what saves. The panel itself gives the focus only to what is there when it opens.
  useEffect(() => {
    if (isLoaded) element.current?.querySelector<HTMLElement>('input[type="radio"], [type="submit"]')?.focus();
  }, [isLoaded]);
  if (loading.error) {
    return (
      <ErrorState
        title={messageOf(loading.error, 'Gagal memuat data pajak')}
        description={hintOf(loading.error)}
        onRetry={loading.retry}
        retrying={loading.isFetching}
      />
    );
  }
  if (!records) {
    return <Loading text="Memuat data PBB…" rows={2} height={88} />;
  }
  if (records.length === 0) return <Text>Belum ada data PBB untuk foto ini.</Text>;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // In the tree of React it stands inside the chat.
    event.stopPropagation();
    if (!focusInvalidDate(event.currentTarget)) void form.save();
  }

  return (
    <form ref={element} noValidate onSubmit={submit}>
      <Stack gap="sm">
        <RecordField
          scope={scope}
          records={records}
          record={record}
          error={form.recordError}
          onChange={form.chooseRecord}
        />
        {isPaid ? (
          <Text fz="sm">Data ini berstatus Lunas. Foto hanya disimpan sebagai bukti.</Text>
        ) : scope === 'own' ? (
          <PaymentChoiceField value={act === 'keep' ? null : act} onChange={form.chooseAct} error={form.actError} />
        ) : (
          <Radio.Group
            label="Status"
            value={act}
            onChange={(value) => form.chooseAct(toAct(value))}
            error={form.actError}
          >
            <Stack gap={2}>
              <PaymentRadio value="proses" label="Tandai Proses" />
              <PaymentRadio
                value="lunas"
                label={
                  act === 'lunas' && form.date !== null
                    ? `Tandai Lunas, dibayar ${showDate(form.date)}`
                    : 'Tandai Lunas dengan tanggal bayar'
                }
              />
              <PaymentRadio value="keep" label="Hanya simpan bukti" />
            </Stack>
          </Radio.Group>
        )}
        {act === 'lunas' ? (
          <PaymentDateField
            label="Tanggal bayar"
            withAsterisk
            value={form.date}
            onChange={form.chooseDate}
            error={form.dateError}
          />
        ) : null}
        {record?.has_proof ? (
          <FormAlert
            kind="warning"
            message={`PBB ${record.year} sudah punya bukti.`}
            hint="Foto ini menggantikannya, dan bukti yang lama dihapus."
          />
        ) : null}
        {scope === 'own' && record?.verification.state === 'matched' ? (
          <FormAlert
            kind="warning"
            message="Kantor sudah memeriksa pembayaran ini."
            hint="Dengan bukti lain, kantor harus memeriksanya lagi."
          />
        ) : null}
        {failure ? <FormAlert message={failure.message} hint={failure.hint} /> : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={busy}>
            Batal
          </Button>
          <SaveButton busy={busy} leftSection={<IconDeviceFloppy size={18} aria-hidden />}>
            {record?.has_proof ? 'Ganti bukti' : 'Simpan'}
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}

type FieldProps = {
  scope: CardScope;
  records: readonly CardRecord[];
  record: CardRecord | undefined;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

function RecordField({ scope, records, record: chosen, error, onChange }: FieldProps) {
  const value = chosen?.id ?? '';
  const estimate = chosen?.amount_source === 'estimate' ? ` · ${ESTIMATE_LABEL}` : '';
  const description = chosen && `${formatSptNumber(chosen.spt_number)} · ${formatRupiah(chosen.amount)}${estimate}`;
  const options = records.map((record) => ({ value: record.id, label: choiceLabel(record, scope) }));
  if (records.length > PLAIN_LIST_MAX) {
    return (
      <Select
        label="Data PBB"
        description={description}
        inputWrapperOrder={FIELD_ORDER}
        placeholder="Cari data PBB"
        searchable
        data={options}
        value={value === '' ? null : value}
        onChange={onChange}
        error={error}
        nothingFoundMessage="Tidak ada data PBB yang cocok"
      />
    );
  }
  return (
    <NativeSelect
      label="Data PBB"
      description={description}
      inputWrapperOrder={FIELD_ORDER}
      data={value === '' ? [{ value: '', label: 'Pilih data PBB' }, ...options] : options}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      error={error}
    />
  );
}
