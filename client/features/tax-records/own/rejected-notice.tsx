import { Box } from '@mantine/core';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import type { Verification } from '#shared/api/verification.ts';

type Props = { verification: Verification; hasProof: boolean };

/** Why the office did not accept a report, and what its owner can do now (R-CHECK-25). */
export function RejectedNotice({ verification: { reason }, hasProof }: Props) {
  const button = hasProof ? 'Ganti bukti pembayaran' : 'Unggah bukti pembayaran';
  return (
    <Box mb="md">
      <FormAlert
        kind="warning"
        message={`Bukti pembayaran ini tidak cocok: ${reason ?? ''}`}
        hint={`Tekan “${button}” untuk mengirim bukti yang benar, atau “Tanyakan ke admin”.`}
      />
    </Box>
  );
}
