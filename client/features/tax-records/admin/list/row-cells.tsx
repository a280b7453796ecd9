import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';

/** A paper clip where a record has a payment proof. */
export function ProofMark({ record }: { record: TaxRecord }) {
  if (record.payment_proof === null) return null;
  return (
    <Text span inherit display="inline-flex" c="dimmed" title="Ada bukti pembayaran">
      <IconPaperclip size={16} aria-hidden />
      <VisuallyHidden>Ada bukti pembayaran</VisuallyHidden>
    </Text>
  );
}

/** The owner, only where the name in the record is another one. */
export function OwnerLink({ record }: { record: TaxRecord }) {
  const { user } = record;
  if (user.name.trim().toLowerCase() === record.name.trim().toLowerCase()) return null;
  return (
    <Anchor
      component={Link}
      to={paths.adminUser(user.id)}
      fz="inherit"
      underline="always"
      aria-label={`Pemilik: ${user.name}`}
    >
      {user.name}
    </Anchor>
  );
}
