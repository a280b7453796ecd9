import { Menu } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconEye, IconMessage, IconPencil, IconUser } from '@tabler/icons-react';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { recordLabel } from '../../display/record-labels.ts';
import { RecordMenu, RecordMenuLink } from '../../pages/record-menu.tsx';
import classes from './record-list.module.css';

type Props = {
  record: TaxRecord;
  onDelete: (record: TaxRecord) => void;
  onUnmark: (record: TaxRecord) => void;
};

/** The rarer acts of an admin on a record. */
export function RowMenu({ record, onDelete, onUnmark }: Props) {
  const label = recordLabel(record);
  const { id, user } = record;
  return (
    <RecordMenu
      label={`Aksi lain ${label}`}
      icon={IconDots}
      width={220}
      className={classes['menu'] ?? ''}
      data-row-menu
      deleteLabel={`Hapus (Delete) ${label}`}
      onDelete={() => onDelete(record)}
    >
      {(atButton) => (
        <>
          <RecordMenuLink to={paths.adminRecord(id)} icon={IconEye} label={`Lihat (View) ${label}`}>
            Lihat
          </RecordMenuLink>
          <RecordMenuLink to={paths.adminRecordEdit(id)} icon={IconPencil} label={`Edit ${label}`}>
            Edit
          </RecordMenuLink>
          <RecordMenuLink to={paths.adminUser(user.id)} icon={IconUser} label={`Buka pemilik ${user.name}`}>
            Buka pemilik
          </RecordMenuLink>
          <RecordMenuLink to={paths.adminConversation(user.id)} icon={IconMessage} label={`Buka chat ${user.name}`}>
            Buka chat
          </RecordMenuLink>
          {record.status === 'lunas' ? (
            <Menu.Item
              leftSection={<IconArrowBackUp size={18} aria-hidden />}
              aria-label={`Batalkan lunas ${label}`}
              onClick={atButton(() => onUnmark(record))}
            >
              Batalkan lunas
            </Menu.Item>
          ) : null}
          <Menu.Divider />
        </>
      )}
    </RecordMenu>
  );
}
