import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDotsVertical, IconMessageQuestion, IconPencil, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { recordLabel } from '../../display/record-labels.ts';
import { useAskAdmin } from '../use-ask-admin.ts';
import classes from './record-list.module.css';

type Props = { record: TaxRecord; onDelete: (record: TaxRecord) => void };

/** The rare acts on a record; deleting stands last. */
export function OwnRecordMenu({ record, onDelete }: Props) {
  const label = recordLabel(record);
  const ask = useAskAdmin();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" width={210} withinPortal>
      <Menu.Target>
        <ActionIcon
          ref={button}
          color="gray"
          className={classes['menu'] ?? ''}
          aria-label={`Aksi lain (More) ${label}`}
          title="Aksi lain"
        >
          <IconDotsVertical size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={paths.recordEdit(record.id)}
          mih={44}
          leftSection={<IconPencil size={18} aria-hidden />}
          aria-label={`Edit ${label}`}
        >
          Edit
        </Menu.Item>
        {ask ? (
          <Menu.Item
            mih={44}
            leftSection={<IconMessageQuestion size={18} aria-hidden />}
            aria-label={`Tanyakan ke admin tentang ${label}`}
            onClick={() => ask(record)}
          >
            Tanyakan ke admin
          </Menu.Item>
        ) : null}
        <Menu.Item
          mih={44}
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={18} aria-hidden />}
          aria-label={`Hapus (Delete) ${label}`}
          onClick={() => {
            // The question returns the focus to where it was, and this item will be gone.
            button.current?.focus();
            onDelete(record);
          }}
        >
          Hapus
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
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
