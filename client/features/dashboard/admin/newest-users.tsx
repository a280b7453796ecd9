import { Anchor, Avatar, Menu, Table, Text } from '@mantine/core';
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
import { useStoredView } from './newest-list.tsx';
import classes from './dashboard.module.css';
import { NewestList } from './newest-list.tsx';
import { RowMenu } from './row-menu.tsx';

type RowsProps = { users: readonly UserAnswer[]; onDelete: (user: UserAnswer) => void };

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

function UserName({ user }: { user: UserAnswer }) {
  return (
    <Anchor component={Link} to={paths.adminUser(user.id)} className={classes['name'] ?? ''}>
      {user.name}
    </Anchor>
  );
}

function UserCards({ users, onDelete }: RowsProps) {
  return (
    <ul className={classes['rows']}>
      {users.map((user) => (
        <li key={user.id} className={classes['row']}>
          <Avatar color="laut" radius="xl" size={40} className={classes['initial'] ?? ''} aria-hidden>
            {user.name.trim().charAt(0).toUpperCase()}
          </Avatar>
          <div className={classes['what']}>
            <UserName user={user} />
            <Text c="dimmed" fz="sm" mb={6} className={classes['break'] ?? ''}>
              {user.email}
            </Text>
            <UserBadges isAdmin={user.is_admin} isActive={user.is_active} />
          </div>
          <UserMenu user={user} onDelete={onDelete} />
        </li>
      ))}
    </ul>
  );
}

function UserTable({ users, onDelete }: RowsProps) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table verticalSpacing="xs" horizontalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Nama</Table.Th>
            <Table.Th scope="col">Email</Table.Th>
            <Table.Th scope="col">Peran</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col" ta="right" className="no-print">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.id}>
              <Table.Th scope="row" className={classes['break'] ?? ''}>
                <UserName user={user} />
              </Table.Th>
              <Table.Td className={classes['break'] ?? ''}>{user.email}</Table.Td>
              <Table.Td>
                <RoleBadge isAdmin={user.is_admin} />
              </Table.Td>
              <Table.Td>
                <ActiveBadge isActive={user.is_active} />
              </Table.Td>
              <Table.Td ta="right" className="no-print">
                <UserMenu user={user} onDelete={onDelete} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type Props = { query: UseQueryResult<UserPage>; onDelete: (user: UserAnswer) => void };

/** 'Users Terbaru' (R-STAT-9). */
export function NewestUsers({ query, onDelete }: Props) {
  const { view, choose } = useStoredView('users');
  const Rows = view === 'tabel' ? UserTable : UserCards;
  return (
    <NewestList
      title="Users Terbaru"
      unit="pengguna"
      query={query}
      allPath={paths.adminUsers}
      view={view}
      onView={choose}
      empty={{ title: 'Belum ada pengguna', icon: IconUsers }}
    >
      {(users) => <Rows users={users} onDelete={onDelete} />}
    </NewestList>
  );
}
