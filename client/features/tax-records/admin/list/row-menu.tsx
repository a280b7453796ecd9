import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconEye, IconMessage, IconPencil, IconTrash, IconUser } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { recordLabel } from '../../display/record-labels.ts';
import classes from './record-list.module.css';

const ICON_PX = 18;

type Props = {
  record: TaxRecord;
  onDelete: (record: TaxRecord) => void;
  onUnmark: (record: TaxRecord) => void;
};

/** The rarer acts on a record. 'Hapus' stands last. */
export function RowMenu({ record, onDelete, onUnmark }: Props) {
  const label = recordLabel(record);
  const { id, user } = record;
  const button = useRef<HTMLButtonElement>(null);
  /** A question returns the focus to where it was, and the item of the menu will be gone by then. */
  function act(run: (record: TaxRecord) => void): void {
    button.current?.focus();
    run(record);
  }
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon
          ref={button}
          color="gray"
          className={classes['menu'] ?? ''}
          aria-label={`Aksi lain ${label}`}
          title="Aksi lain"
          data-row-menu
        >
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={paths.adminRecord(id)}
          leftSection={<IconEye size={ICON_PX} aria-hidden />}
          aria-label={`Lihat (View) ${label}`}
        >
          Lihat
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.adminRecordEdit(id)}
          leftSection={<IconPencil size={ICON_PX} aria-hidden />}
          aria-label={`Edit ${label}`}
        >
          Edit
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.adminUser(user.id)}
          leftSection={<IconUser size={ICON_PX} aria-hidden />}
          aria-label={`Buka pemilik ${user.name}`}
        >
          Buka pemilik
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={paths.adminConversation(user.id)}
          leftSection={<IconMessage size={ICON_PX} aria-hidden />}
          aria-label={`Buka chat ${user.name}`}
        >
          Buka chat
        </Menu.Item>
        {record.status === 'lunas' ? (
          <Menu.Item
            leftSection={<IconArrowBackUp size={ICON_PX} aria-hidden />}
            aria-label={`Batalkan lunas ${label}`}
            onClick={() => act(onUnmark)}
          >
            Batalkan lunas
          </Menu.Item>
        ) : null}
        <Menu.Divider />
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={ICON_PX} aria-hidden />}
          aria-label={`Hapus (Delete) ${label}`}
          onClick={() => act(onDelete)}
        >
          Hapus
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
