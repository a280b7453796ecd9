import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconFilePlus,
  IconKey,
  IconLockCancel,
  IconLockOpen,
  IconMessage,
  IconPencil,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import type { UserAnswer } from '#shared/api/users.ts';
import { useProtectionReason } from '../use-protection-reason.ts';

type Props = {
  user: UserAnswer;
  onEdit: () => void;
  onMakeCode: () => void;
  onEndCode: () => void;
  onResetPassword: () => void;
  onToggle: () => void;
  onDelete: () => void;
};

/** The actions of an admin on an account; the menu has the rare ones. */
export function UserHeaderActions({ user, onEdit, onMakeCode, onEndCode, onResetPassword, onToggle, onDelete }: Props) {
  const protectionReason = useProtectionReason()(user);
  const isProtected = protectionReason !== null;
  return (
    <HeaderActions>
      {user.is_admin ? null : (
        <>
          <Button
            component={Link}
            to={paths.adminConversation(user.id)}
            leftSection={<IconMessage size={18} aria-hidden />}
          >
            Chat
          </Button>
          <Button
            component={Link}
            to={paths.adminRecordCreateFor(user.id)}
            variant="default"
            leftSection={<IconFilePlus size={18} aria-hidden />}
            aria-label="Tambah Data Pajak"
          >
            Tambah Data
          </Button>
        </>
      )}
      <Button
        variant="default"
        leftSection={<IconPencil size={18} aria-hidden />}
        aria-label={`Edit ${user.name}`}
        onClick={onEdit}
      >
        Edit
      </Button>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            aria-label={`Tindakan lain untuk ${user.name}`}
            title="Tindakan lain"
            style={{ flex: 'none' }}
          >
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {protectionReason === null ? null : (
            <Menu.Label style={{ whiteSpace: 'normal' }}>{protectionReason}.</Menu.Label>
          )}
          {/* Without an e-mail address a person enters by card. */}
          {user.has_email ? (
            <>
              <Menu.Item
                leftSection={<IconLockOpen size={18} aria-hidden />}
                disabled={isProtected}
                onClick={onMakeCode}
              >
                Buat kode masuk
              </Menu.Item>
              <Menu.Item
                leftSection={<IconLockCancel size={18} aria-hidden />}
                disabled={isProtected}
                onClick={onEndCode}
              >
                Batalkan kode
              </Menu.Item>
              <Menu.Item
                leftSection={<IconKey size={18} aria-hidden />}
                disabled={isProtected}
                onClick={onResetPassword}
              >
                Atur ulang password
              </Menu.Item>
            </>
          ) : null}
          <Menu.Item
            leftSection={
              user.is_active ? <IconUserOff size={18} aria-hidden /> : <IconUserCheck size={18} aria-hidden />
            }
            disabled={isProtected}
            onClick={onToggle}
          >
            {user.is_active ? 'Nonaktifkan' : 'Aktifkan'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={18} aria-hidden />}
            disabled={isProtected}
            aria-label={`Hapus (Delete) ${user.name}`}
            onClick={onDelete}
          >
            Hapus
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </HeaderActions>
  );
}
