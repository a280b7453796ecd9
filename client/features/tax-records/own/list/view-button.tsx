import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { recordLabel } from '../../display/record-labels.ts';
import classes from './record-list.module.css';

/** The accessible name of what opens a record. */
export const viewLabel = (record: TaxRecord): string => `Lihat (View) ${recordLabel(record)}`;

/** Opens a record, in words: an icon is a small target for a thumb. */
export function ViewButton({ record }: { record: TaxRecord }) {
  return (
    <Button
      component={Link}
      to={paths.record(record.id)}
      variant="light"
      px="md"
      className={classes['view'] ?? ''}
      aria-label={viewLabel(record)}
    >
      Lihat
    </Button>
  );
}
