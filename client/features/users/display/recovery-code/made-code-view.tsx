import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBrandWhatsapp, IconPrinter } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ConfirmOptions } from '#client/ui/feedback/confirm.ts';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';
import { PrintSheet, usePrintSheet } from '#client/ui/print/print-sheet.tsx';
import { paths } from '#client/paths.ts';
import { CopyableSecret } from '../copyable-secret.tsx';
import { expiryText, recoverAddress, wayText, whatsappLink } from './code-texts.ts';
import type { CodeAccount, ShownCode } from './use-recovery-code.ts';

export const LEAVE_QUESTION: ConfirmOptions = {
  title: 'Tinggalkan kode ini?',
  message: 'Kode ini tidak ditampilkan lagi. Bila belum disampaikan, Anda harus membuat kode baru.',
  confirmLabel: 'Tinggalkan',
  cancelLabel: 'Tetap di sini',
  danger: true,
};

type Props = { account: CodeAccount; made: ShownCode; onDone: () => void };

/** A code to read out, to print or to send; the server keeps nothing from which it could be shown again. */
export function MadeCodeView({ account, made, onDone }: Props) {
  const code = useRef<HTMLElement>(null);
  const print = usePrintSheet();
  useUnsavedWarning(true, LEAVE_QUESTION);
  // A screen reader reads it. The pressed button no longer exists, and Enter must not press the next one.
  useEffect(() => code.current?.focus(), []);
  const way = wayText(recoverAddress(window.location, paths.recover));
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>
        Berikan kode ini kepada <b>{account.name}</b>: bacakan, tulis, atau cetak. Hanya ditampilkan sekarang.
      </Text>
      <CopyableSecret ref={code} secret={made.code} word="kode" label="Kode masuk" isLarge>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={print}>
          Cetak
        </Button>
        {/* A number that was not checked may be that of a thief. */}
        {made.checked === 'phone' && account.phone !== null ? (
          <Button
            component="a"
            href={whatsappLink(account.phone, made, window.location)}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<IconBrandWhatsapp size={18} aria-hidden />}
          >
            Buka WhatsApp
          </Button>
        ) : null}
      </CopyableSecret>
      <Text>{expiryText(made)}</Text>
      <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {way}
      </Text>
      <Group justify="flex-end" className="dialog-actions">
        <Button onClick={onDone}>Sudah saya sampaikan</Button>
      </Group>
      <PrintSheet>
        <PaperHead title="Kode masuk" />
        <Text ta="center" ff="monospace" fz="xxl" fw={700} my="lg">
          {made.code}
        </Text>
        <Text>{expiryText(made)}</Text>
        <Text>{way}</Text>
        <Text mt="md">Jangan berikan kode ini kepada siapa pun, juga tidak kepada petugas.</Text>
      </PrintSheet>
    </Stack>
  );
}
