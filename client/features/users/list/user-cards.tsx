import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { UserBadges } from '../display/user-badges.tsx';
import { showDateShort } from '#client/lib/format.ts';
import { PageCheckbox, RowCheckbox } from '#client/ui/list/rows/row-checkbox.tsx';
import { UserIcons } from './user-actions.tsx';
import classes from './user-list.module.css';
import list from '#client/ui/list/list.module.css';
import type { UserRowsProps } from './user-table.tsx';

/** The list on small screens. */
export function UserCards({ users, protectionReasonOf, density: _density, selection, ...handlers }: UserRowsProps) {
  return (
    <>
      <PageCheckbox selection={selection} isLabelled />
      <ul className={list['cards']}>
        {users.map((user) => {
          const protectionReason = protectionReasonOf(user);
          return (
            <Paper key={user.id} component="li" withBorder px="md" py="xs" miw={0}>
              <Group gap="xs" justify="space-between" align="flex-start">
                <Group gap="xs" wrap="nowrap" miw={0}>
                  <RowCheckbox row={user} label={user.name} selection={selection} />
                  <Anchor
                    component={Link}
                    to={paths.adminUser(user.id)}
                    fw={600}
                    c="inherit"
                    className={classes['title'] ?? ''}
                  >
                    {user.name}
                    {protectionReason ? <span className={classes['you']}>(Anda)</span> : null}
                  </Anchor>
                </Group>
                <UserBadges isAdmin={user.is_admin} isActive={user.is_active} />
              </Group>
              <Text fz="sm" c="dimmed" className={classes['email'] ?? ''}>
                {emailText(user.email)}
              </Text>
              <Group gap="xs" justify="space-between">
                <Text c="dimmed" fz="sm">
                  sejak {showDateShort(user.created_at)}
                </Text>
                <UserIcons user={user} protectionReason={protectionReason} size={44} {...handlers} />
              </Group>
            </Paper>
          );
        })}
      </ul>
    </>
  );
}
