import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { addDays } from '#shared/domain/dates/dates.ts';
import { SERVER_TIME_ZONE, today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { instantOf, snoozeTimeError } from './snooze-times.ts';

type Props = {
  onClose: () => void;
  /** @param until ISO 8601 */
  onChoose: (until: string) => void;
};

/** Asks until when conversations are snoozed; tomorrow at eight unless another day or time is chosen. */
export function SnoozeTimeDialog({ onClose, onChoose }: Props) {
  const [date, setDate] = useState<string | null>(() => addDays(today(), 1));
  const [time, setTime] = useState('08:00');
  const [error, setError] = useState<string | null>(null);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // In the tree of React the dialog may stand inside another form.
    event.stopPropagation();
    if (focusInvalidDate(event.currentTarget)) return;
    if (date === null || !/^\d{2}:\d{2}/.test(time)) {
      setError('Tanggal dan jam wajib diisi');
      return;
    }
    const until = instantOf(date, time);
    const problem = snoozeTimeError(until, Date.now());
    setError(problem);
    if (problem !== null) return;
    onClose();
    onChoose(until);
  }

  return (
    <Modal opened onClose={onClose} title="Tunda sampai" centered>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <DateField label="Tanggal" withAsterisk value={date} onChange={setDate} />
          <TextInput
            type="time"
            label="Jam"
            description={`Menurut zona waktu kantor (${SERVER_TIME_ZONE})`}
            withAsterisk
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
            error={error}
          />
          <Group justify="flex-end" mt="md" gap="sm" className="dialog-actions">
            <Button variant="default" onClick={onClose}>
              Batal
            </Button>
            <Button type="submit" data-autofocus>
              Tunda
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
