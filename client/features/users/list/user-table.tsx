import { Anchor, Paper, Table } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { Density } from '#client/ui/list/rows/density.tsx';
import { PageCheckbox, RowCheckbox } from '#client/ui/list/rows/row-checkbox.tsx';
import type { Selection } from '#client/ui/list/rows/use-selection.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { ActiveBadge, RoleBadge } from '../display/user-badges.tsx';
import { showDateShort } from '#client/lib/format.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { type UserHandlers, UserIcons } from './user-actions.tsx';
import classes from './user-list.module.css';
import list from '#client/ui/list/list.module.css';

export type UserRowsProps = UserHandlers & {
  users: readonly UserAnswer[];
  /** The reason why an account is protected, or null; see `useProtectionReason`. */
  protectionReasonOf: (user: UserAnswer) => string | null;
  density: Density;
  selection: Selection<UserAnswer>;
};

/** The list on wide screens. */
export function UserTable({ users, protectionReasonOf, density, selection, ...handlers }: UserRowsProps) {
  return (
    <Paper withBorder className={list['frame'] ?? ''}>
      <Table
        verticalSpacing={density === 'compact' ? 1 : 4}
        horizontalSpacing="sm"
        highlightOnHover
        data-density={density}
      >
        <Table.Thead className={list['head'] ?? ''}>
          <Table.Tr>
            <Table.Th scope="col" w="2.5rem" className="no-print">
              <PageCheckbox selection={selection} />
            </Table.Th>
            <Table.Th scope="col">Nama</Table.Th>
            <Table.Th scope="col">Email</Table.Th>
            <Table.Th scope="col">Peran</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col">Terdaftar</Table.Th>
            <Table.Th scope="col" ta="right" className="no-print">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.id} data-selected={selection.has(user.id) || undefined}>
              <Table.Td className="no-print">
                <RowCheckbox row={user} label={user.name} selection={selection} />
              </Table.Td>
              <Table.Th scope="row" className={classes['name']}>
                <Anchor component={Link} to={paths.adminUser(user.id)} fw={600} c="inherit">
                  {user.name}
                </Anchor>
                {protectionReasonOf(user) ? <span className={classes['you']}>(Anda)</span> : null}
              </Table.Th>
              <Table.Td className={classes['email']}>{emailText(user.email)}</Table.Td>
              <Table.Td>
                <RoleBadge isAdmin={user.is_admin} />
              </Table.Td>
              <Table.Td>
                <ActiveBadge isActive={user.is_active} />
              </Table.Td>
              <Table.Td className={`tabular ${classes['date']}`}>{showDateShort(user.created_at)}</Table.Td>
              <Table.Td className="no-print">
                <UserIcons
                  user={user}
                  protectionReason={protectionReasonOf(user)}
                  size={density === 'compact' ? 28 : 36}
                  {...handlers}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
