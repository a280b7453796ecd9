import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { SERVER_TIME_ZONE, today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/form/date-field.tsx';
import { focusInvalidDate } from '#client/ui/form/invalid-date.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { fieldTexts } from '#shared/texts.ts';
import { PAYMENT_AFTER_TODAY } from '../../display/record-labels.ts';
import { recordHeading } from '../../display/record-title.ts';

type Props = { record: TaxRecord; onCancel: () => void; onPaid: (date: string) => void };

/** Asks for the date of payment, which the proof shows. It begins with the day of the report. */
export function PaidDialog({ record, onCancel, onPaid }: Props) {
  const { at } = record.verification;
  const [date, setDate] = useState<string | null>(at ? todayIn(SERVER_TIME_ZONE, Date.parse(at)) : today());
  const [error, setError] = useState<string>();
  return (
    <Modal opened onClose={onCancel} title="Cocok & tandai lunas" centered closeButtonProps={{ 'aria-label': 'Tutup' }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // In the tree of React the dialog may stand inside another form.
          event.stopPropagation();
          if (focusInvalidDate(event.currentTarget)) return;
          if (date === null) setError(fieldTexts.paymentDateRequired);
          else onPaid(date);
        }}
      >
        <Stack gap="md">
          <Text>
            {recordHeading(record)} · {record.user.name} menjadi Lunas, lalu dicatat sebagai cocok.
          </Text>
          <DateField
            label="Tanggal Pembayaran"
            withAsterisk
            latest={{ date: today(), text: PAYMENT_AFTER_TODAY }}
            value={date}
            onChange={(next) => {
              setDate(next);
              setError(undefined);
            }}
            error={error}
          />
          <Group justify="flex-end" gap="sm" className="dialog-actions">
            <Button variant="default" onClick={onCancel}>
              Batal
            </Button>
            <Button type="submit" data-autofocus leftSection={<IconCircleCheck size={18} aria-hidden />}>
              Cocok & tandai lunas
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
