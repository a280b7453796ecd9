import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';

/** Opens the record in 'Bukti masuk'; nothing if no payment was reported. */
export function CheckButton({ record: { id, verification } }: { record: TaxRecord }) {
  const { state } = verification;
  if (state === 'none') return null;
  const isOpen = state === 'pending' || state === 'outdated';
  return (
    <Button
      component={Link}
      to={paths.adminInboundRecord(id)}
      variant={isOpen ? 'filled' : 'light'}
      leftSection={<IconChecklist size={18} aria-hidden />}
    >
      {isOpen ? 'Cocokkan' : 'Lihat pencocokan'}
    </Button>
  );
}
