import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { saveFile } from '#client/exports/save-file.ts';
import { CopyableSecret } from '#client/features/users/display/copyable-secret.tsx';
import type { ConfirmOptions } from '#client/ui/feedback/confirm.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';
import { PrintSheet, usePrintSheet } from '#client/ui/print/print-sheet.tsx';
import { APP_NAME } from '#shared/labels.ts';
import classes from './factor-set-up.module.css';

export const LEAVE_CODES_QUESTION: ConfirmOptions = {
  title: 'Tinggalkan kode cadangan ini?',
  message: 'Kode ini tidak ditampilkan lagi. Tanpa kode cadangan, HP yang hilang berarti harus datang ke loket.',
  confirmLabel: 'Tinggalkan',
  cancelLabel: 'Tetap di sini',
  danger: true,
};

const USE_TEXT = 'Bila HP hilang, ketik satu kode ini sebagai ganti kode dari aplikasi. Tiap kode hanya sekali pakai.';

type Props = { codes: readonly string[]; onDone: () => void };

/** The spare codes, which are never shown again: to copy, to print and to keep as a file. */
export function SpareCodesView({ codes, onDone }: Props) {
  const head = useRef<HTMLDivElement>(null);
  const print = usePrintSheet();
  useUnsavedWarning(true, LEAVE_CODES_QUESTION);
  // A screen reader reads them. The pressed button no longer exists, and Enter must not press the next one.
  useEffect(() => head.current?.focus(), []);
  const text = codes.join('\n');

  function download(): void {
    const lines = [`Kode cadangan ${APP_NAME}`, USE_TEXT, '', ...codes, ''];
    saveFile(new Blob([lines.join('\r\n')], { type: 'text/plain;charset=utf-8' }), 'kode-cadangan-pbb-kita.txt');
  }

  return (
    <Stack gap="md">
      {/* The step before may have scrolled the text out of sight. */}
      <div ref={head} tabIndex={-1} className={classes['steps']}>
        <Text fw={600} mb="xs">
          Kode kedua sudah terpasang. Simpan sepuluh kode cadangan ini sekarang.
        </Text>
        <Text>{USE_TEXT} Simpan di kertas, jangan di HP yang sama. Hanya ditampilkan sekarang.</Text>
      </div>
      <CopyableSecret secret={text} word="kode" label="Kode cadangan" isList>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={print}>
          Cetak
        </Button>
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={download}>
          Unduh
        </Button>
      </CopyableSecret>
      <Group justify="flex-end" className="dialog-actions">
        <Button onClick={onDone}>Saya sudah menyimpannya</Button>
      </Group>
      <PrintSheet>
        <PaperHead title="Kode cadangan" />
        <Text ff="monospace" fz="xl" my="lg" style={{ whiteSpace: 'pre-line', columns: 2 }}>
          {text}
        </Text>
        <Text>{USE_TEXT}</Text>
        <Text mt="md">Jangan berikan kode ini kepada siapa pun, juga tidak kepada petugas.</Text>
      </PrintSheet>
    </Stack>
  );
}
