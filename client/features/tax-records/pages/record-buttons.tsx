import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { recordLabel } from '../display/record-labels.ts';
import { recordPaths, type RecordScope } from '../scope.ts';
import classes from './record-buttons.module.css';

type Props = { scope: RecordScope; record: TaxRecord; onDelete: (record: TaxRecord) => void };

/** View, edit and delete as words, for cards: an icon is a small target for a thumb. */
export function RecordButtons({ scope, record, onDelete }: Props) {
  const label = recordLabel(record);
  const { detail, edit } = recordPaths[scope];
  return (
    <div className={classes['buttons']}>
      <Button component={Link} to={detail(record.id)} variant="light" px="xs" aria-label={`Lihat (View) ${label}`}>
        Lihat
      </Button>
      <Button component={Link} to={edit(record.id)} variant="default" px="xs" aria-label={`Edit ${label}`}>
        Edit
      </Button>
      <Button
        variant="subtle"
        color="red"
        px="xs"
        aria-label={`Hapus (Delete) ${label}`}
        onClick={() => onDelete(record)}
      >
        Hapus
      </Button>
    </div>
  );
}
