import { Button, Menu } from '@mantine/core';
import { IconDotsVertical, IconMessageQuestion, IconPencil } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { recordLabel } from '../../display/record-labels.ts';
import { RecordMenu, RecordMenuLink } from '../../pages/record-menu.tsx';
import { useAskAdmin } from '../use-ask-admin.ts';
import classes from './record-list.module.css';

type Props = { record: TaxRecord; onDelete: (record: TaxRecord) => void };

/** The rarer acts of a user on a record. */
export function OwnRecordMenu({ record, onDelete }: Props) {
  const label = recordLabel(record);
  const ask = useAskAdmin();
  return (
    <RecordMenu
      label={`Aksi lain (More) ${label}`}
      icon={IconDotsVertical}
      width={210}
      hasHighItems
      className={classes['menu'] ?? ''}
      deleteLabel={`Hapus (Delete) ${label}`}
      onDelete={() => onDelete(record)}
    >
      {() => (
        <>
          <RecordMenuLink to={paths.recordEdit(record.id)} icon={IconPencil} label={`Edit ${label}`}>
            Edit
          </RecordMenuLink>
          {ask ? (
            <Menu.Item
              leftSection={<IconMessageQuestion size={18} aria-hidden />}
              aria-label={`Tanyakan ke admin tentang ${label}`}
              onClick={() => ask(record)}
            >
              Tanyakan ke admin
            </Menu.Item>
          ) : null}
        </>
      )}
    </RecordMenu>
  );
}

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
