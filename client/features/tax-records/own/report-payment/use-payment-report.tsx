import { Button } from '@mantine/core';
import { IconCamera, IconCircleCheck } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';

// The calendar is large, and most visits need none.
const loadDialog = async () => (await import('./payment-report-dialog.tsx')).PaymentReportDialog;

/** The acts with which a user reports a payment, and the dialog that both open (R-REC-30). */
export function usePaymentReport(record: TaxRecord | undefined) {
  const [opened, setOpened] = useState<{ record: TaxRecord; photo: File | null } | null>(null);
  const { Component: Dialog } = useLazyOverlay(loadDialog, {
    wanted: opened !== null,
    early: true,
    failure: 'Formulir pembayaran gagal dimuat',
    onCancel: () => setOpened(null),
  });
  const opener = useRef<HTMLButtonElement>(null);
  const uploadButton = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  if (!record) return { statusAction: null, proofAction: null, dialog: null };
  const isPaid = record.status === 'lunas';
  const isRejected = record.verification.state === 'rejected';
  const hasProof = record.payment_proof !== null;
  // A good photo is not to be replaced by the way.
  const proofVariant = isRejected || (!hasProof && !isPaid) ? 'filled' : hasProof ? 'default' : 'light';

  function open(button: HTMLButtonElement | null, photo: File | null) {
    if (!record) return;
    opener.current = button;
    setOpened({ record, photo });
  }

  return {
    statusAction: isPaid ? null : (
      <Button
        variant="light"
        leftSection={<IconCircleCheck size={18} aria-hidden />}
        onClick={(event) => open(event.currentTarget, null)}
      >
        Tandai lunas
      </Button>
    ),
    proofAction:
      isPaid && hasProof && !isRejected ? null : (
        <>
          <Button
            ref={uploadButton}
            variant={proofVariant}
            leftSection={<IconCamera size={18} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {hasProof ? 'Ganti bukti pembayaran' : 'Unggah bukti pembayaran'}
          </Button>
          <input
            ref={input}
            type="file"
            accept="image/*"
            // Opened by the button before it.
            hidden
            onChange={(event) => {
              const photo = event.currentTarget.files?.[0];
              if (photo) open(uploadButton.current, photo);
              // Without this, picking the same file again would cause no event.
              event.currentTarget.value = '';
            }}
          />
        </>
      ),
    dialog:
      opened && Dialog ? (
        <Dialog
          record={opened.record}
          photo={opened.photo}
          onCancel={() => {
            setOpened(null);
            opener.current?.focus();
          }}
          onSaved={() => {
            setOpened(null);
            // The pressed button is gone, because the record is paid now.
            focusHeading();
          }}
        />
      ) : null,
  };
}
