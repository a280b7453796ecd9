import { ActionIcon, Button, Group } from '@mantine/core';
import { IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import classes from './record-list.module.css';

type Props = { record: TaxRecord; onDelete: (record: TaxRecord) => void };

/** Which record a button is for, where all of them say the same. */
function ownRecordLabel(record: TaxRecord): string {
  return `${record.name}, ${record.spt_number}, ${record.year}`;
}

/** Icons, for the narrow column of a table. */
export function OwnRecordIcons({ record, onDelete }: Props) {
  const name = ownRecordLabel(record);
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <ActionIcon
        size={40}
        component={Link}
        to={paths.record(record.id)}
        aria-label={`Lihat (View) ${name}`}
        title="Lihat"
      >
        <IconEye size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon size={40} component={Link} to={paths.recordEdit(record.id)} aria-label={`Edit ${name}`} title="Edit">
        <IconPencil size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={40}
        color="red"
        aria-label={`Hapus (Delete) ${name}`}
        title="Hapus"
        onClick={() => onDelete(record)}
      >
        <IconTrash size={20} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** Words, for thumbs. */
export function OwnRecordButtons({ record, onDelete }: Props) {
  const name = ownRecordLabel(record);
  return (
    <div className={classes['buttons']}>
      <Button component={Link} to={paths.record(record.id)} variant="light" px="xs" aria-label={`Lihat (View) ${name}`}>
        Lihat
      </Button>
      <Button component={Link} to={paths.recordEdit(record.id)} variant="default" px="xs" aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <Button
        variant="subtle"
        color="red"
        px="xs"
        aria-label={`Hapus (Delete) ${name}`}
        onClick={() => onDelete(record)}
      >
        Hapus
      </Button>
    </div>
  );
}
