import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { MarkPaidButton } from '#client/features/tax-records/display/mark-paid/mark-paid-button.tsx';
import { recordLabel } from '#client/features/tax-records/display/record-labels.ts';
import { paths } from '#client/paths.ts';
import classes from './record-card.module.css';
import type { CardRecord } from './records/card-record.ts';

/** Buttons by which an admin works on a record from its card (R-CARD-13). */
export function CardActions({ record }: { record: CardRecord }) {
  return (
    <>
      <MarkPaidButton record={record} />
      <Button
        component={Link}
        to={paths.adminRecord(record.id)}
        variant="subtle"
        className={classes['action'] ?? ''}
        aria-label={`Buka data ${recordLabel(record)}`}
      >
        Buka data
      </Button>
    </>
  );
}
