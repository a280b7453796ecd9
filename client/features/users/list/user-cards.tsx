import { Group, Paper, Text } from '@mantine/core';
import { UserBadges } from '../display/user-badges.tsx';
import { showDate } from '#client/lib/format.ts';
import { UserButtons } from './user-actions.tsx';
import classes from './user-list.module.css';
import type { UserRowsProps } from './user-table.tsx';

/** The list on small screens. */
export function UserCards({ users, protectionReasonOf, ...handlers }: UserRowsProps) {
  return (
    <ul className={classes['cards']}>
      {users.map((user) => {
        const protectionReason = protectionReasonOf(user);
        return (
          <Paper key={user.id} component="li" withBorder p="md" className={classes['card']}>
            <Text fw={600} className={classes['title'] ?? ''}>
              {user.name}
              {protectionReason ? <span className={classes['you']}>(Anda)</span> : null}
            </Text>
            <Text fz="sm" className={classes['email'] ?? ''}>
              {user.email}
            </Text>
            <Group gap="xs" mt="xs" justify="space-between">
              <UserBadges isAdmin={user.is_admin} isActive={user.is_active} />
              <Text c="dimmed" fz="sm">
                sejak {showDate(user.created_at)}
              </Text>
            </Group>
            {protectionReason ? (
              <Text c="dimmed" fz="sm" mt="xs">
                {protectionReason}.
              </Text>
            ) : null}
            <UserButtons user={user} protectionReason={protectionReason} {...handlers} />
          </Paper>
        );
      })}
    </ul>
  );
}
