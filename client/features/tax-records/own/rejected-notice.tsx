import { Box } from '@mantine/core';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { verificationText } from '../display/verification/verification-text.ts';

/** Why the office did not accept a report, and what its owner can do now (R-CHECK-25). */
export function RejectedNotice({ record }: { record: TaxRecord }) {
  const button = record.payment_proof === null ? 'Unggah bukti pembayaran' : 'Ganti bukti pembayaran';
  return (
    <Box mb="md">
      <FormAlert
        kind="warning"
        message={verificationText(record, 'own')}
        hint={`Tekan “${button}” untuk mengirim bukti yang benar, atau “Tanyakan ke admin”.`}
      />
    </Box>
  );
}
