import { ActionIcon, Group } from '@mantine/core';
import { IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { recordLabel } from './record-labels.ts';
import { recordPaths, type RecordScope } from '../scope.ts';

const SIZES_PX = { small: { button: 36, icon: 19 }, medium: { button: 40, icon: 20 } };

type Props = {
  scope: RecordScope;
  record: TaxRecord;
  size?: keyof typeof SIZES_PX;
  /** Left out: no button to delete. */
  onDelete?: (record: TaxRecord) => void;
};

/** View, edit and delete as icons, for the narrow column of a table. */
export function RecordIcons({ scope, record, size = 'medium', onDelete }: Props) {
  const label = recordLabel(record);
  const { detail, edit } = recordPaths[scope];
  const { button, icon } = SIZES_PX[size];
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end" className="no-print">
      <ActionIcon
        size={button}
        component={Link}
        to={detail(record.id)}
        aria-label={`Lihat (View) ${label}`}
        title="Lihat"
      >
        <IconEye size={icon} aria-hidden />
      </ActionIcon>
      <ActionIcon size={button} component={Link} to={edit(record.id)} aria-label={`Edit ${label}`} title="Edit">
        <IconPencil size={icon} aria-hidden />
      </ActionIcon>
      {onDelete ? (
        <ActionIcon
          size={button}
          color="red"
          aria-label={`Hapus (Delete) ${label}`}
          title="Hapus"
          onClick={() => onDelete(record)}
        >
          <IconTrash size={icon} aria-hidden />
        </ActionIcon>
      ) : null}
    </Group>
  );
}
