import { Avatar, Menu, Text } from '@mantine/core';
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { ActiveBadge, RoleBadge, UserBadges } from '#client/features/users/display/user-badges.tsx';
import { useSession } from '#client/lib/session/session.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { errorTexts } from '#shared/texts.ts';
import type { UserPage } from '#client/features/users/api.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import classes from './dashboard.module.css';
import { NewestList, type RowColumn, RowMenu, RowName } from './newest-list.tsx';

function UserMenu({ user, onDelete }: { user: UserAnswer; onDelete: (user: UserAnswer) => void }) {
  const isOwnAccount = useSession()?.user?.id === user.id;
  const button = useRef<HTMLButtonElement>(null);
  return (
    <RowMenu label={user.name} button={button}>
      <Menu.Item
        component={Link}
        to={paths.adminUserEdit(user.id)}
        aria-label={`Edit ${user.name}`}
        leftSection={<IconPencil size={18} aria-hidden />}
      >
        Edit
      </Menu.Item>
      <Menu.Item
        color="var(--mantine-color-error)"
        aria-label={`Hapus (Delete) ${user.name}`}
        leftSection={<IconTrash size={18} aria-hidden />}
        // Not really disabled, so that the item can have the focus and explain why.
        {...(isOwnAccount
          ? { 'data-disabled': true, 'aria-disabled': true, 'aria-description': errorTexts.ownAccount }
          : {})}
        closeMenuOnClick={!isOwnAccount}
        onClick={() => {
          if (isOwnAccount) return;
          button.current?.focus();
          onDelete(user);
        }}
      >
        Hapus
      </Menu.Item>
      {isOwnAccount ? <Menu.Label className={classes['break'] ?? ''}>{errorTexts.ownAccount}.</Menu.Label> : null}
    </RowMenu>
  );
}

function UserCard({ user }: { user: UserAnswer }) {
  return (
    <>
      <Avatar color="laut" radius="xl" size={40} className={classes['initial'] ?? ''} aria-hidden>
        {user.name.trim().charAt(0).toUpperCase()}
      </Avatar>
      <div className={classes['what']}>
        <RowName to={paths.adminUser(user.id)} name={user.name} />
        <Text c="dimmed" fz="sm" mb={6} className={classes['break'] ?? ''}>
          {emailText(user.email)}
        </Text>
        <UserBadges isAdmin={user.is_admin} isActive={user.is_active} />
      </div>
    </>
  );
}

const columns: readonly RowColumn<UserAnswer>[] = [
  { header: 'Nama', cell: ({ id, name }) => <RowName to={paths.adminUser(id)} name={name} /> },
  { header: 'Email', cell: ({ email }) => emailText(email), cellProps: { className: classes['break'] ?? '' } },
  { header: 'Peran', cell: ({ is_admin }) => <RoleBadge isAdmin={is_admin} /> },
  { header: 'Status', cell: ({ is_active }) => <ActiveBadge isActive={is_active} /> },
];

type Props = { query: UseQueryResult<UserPage>; onDelete: (user: UserAnswer) => void };

/** 'Users Terbaru' (R-STAT-9). */
export function NewestUsers({ query, onDelete }: Props) {
  return (
    <NewestList
      list="users"
      title="Users Terbaru"
      unit="pengguna"
      query={query}
      allPath={paths.adminUsers}
      empty={{ title: 'Belum ada pengguna', icon: IconUsers }}
      columns={columns}
      renderCard={(user) => <UserCard user={user} />}
      renderMenu={(user) => <UserMenu user={user} onDelete={onDelete} />}
    />
  );
}
