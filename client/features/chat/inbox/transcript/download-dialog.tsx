import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { IconFileTypePdf, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { today } from '#client/lib/format.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import { addDays } from '#shared/domain/dates/dates.ts';
import type { TranscriptPeriod } from './transcript-report.ts';

type Choice = 'all' | 'month' | 'dates';

type Props = {
  name: string;
  busy: 'print' | 'pdf' | null;
  onPrint: (period: TranscriptPeriod) => void;
  onPdf: (period: TranscriptPeriod) => void;
  onClose: () => void;
};

/** Asks which days of a conversation are printed or saved as PDF. */
export function DownloadDialog({ name, busy, onPrint, onPdf, onClose }: Props) {
  const [choice, setChoice] = useState<Choice>('all');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const [error, setError] = useState<string>();

  /** Null where the dates make no period. */
  function readPeriod(): TranscriptPeriod | null {
    if (choice === 'all') return { from: '', to: '' };
    if (choice === 'month') return { from: addDays(today(), -29), to: today() };
    if (!from && !to) setError('Isi paling sedikit satu tanggal');
    else if (from && to && from > to) setError('Tanggal awal tidak boleh setelah tanggal akhir');
    else return { from: from ?? '', to: to ?? '' };
    return null;
  }

  function run(form: HTMLElement | null, act: (period: TranscriptPeriod) => void): void {
    if (busy !== null || (form && focusInvalidDate(form))) return;
    const period = readPeriod();
    if (period) act(period);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={`Unduh percakapan dengan ${name}`}
      centered
      size="lg"
      // A print that follows must not catch the dialog while it fades.
      transitionProps={{ duration: 0 }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run(event.currentTarget, onPdf);
        }}
      >
        <Stack gap="md">
          <Radio.Group
            label="Pesan yang ikut"
            value={choice}
            onChange={(value) => {
              setChoice(value === 'month' || value === 'dates' ? value : 'all');
              setError(undefined);
            }}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="all" label="Semua pesan" />
              <Radio value="month" label="30 hari terakhir" />
              <Radio value="dates" label="Pilih tanggal" />
            </Stack>
          </Radio.Group>
          {choice === 'dates' ? (
            <Group grow align="flex-start">
              <DateField
                label="Dari tanggal"
                value={from}
                onChange={(date) => {
                  setFrom(date);
                  setError(undefined);
                }}
                error={error}
              />
              <DateField
                label="Sampai tanggal"
                value={to}
                onChange={(date) => {
                  setTo(date);
                  setError(undefined);
                }}
              />
            </Group>
          ) : null}
          <Text fz="sm" c="dimmed">
            Catatan internal tidak pernah ikut.
          </Text>
          <Group justify="flex-end" className="dialog-actions">
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden />}
              loading={busy === 'print'}
              onClick={(event) => run(event.currentTarget.form, onPrint)}
            >
              Cetak
            </Button>
            <Button type="submit" leftSection={<IconFileTypePdf size={18} aria-hidden />} loading={busy === 'pdf'}>
              Unduh PDF
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
