import { Badge, Group } from '@mantine/core';

/** Badges for the role and the active flag, with a text because colour alone is not accessible. */
export function UserBadges({ isAdmin, isActive }: { isAdmin: boolean; isActive: boolean }) {
  return (
    <Group component="span" gap={6}>
      <RoleBadge isAdmin={isAdmin} />
      <ActiveBadge isActive={isActive} />
    </Group>
  );
}

export function RoleBadge({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Badge
      component="span"
      variant="light"
      size="lg"
      fw={600}
      color={isAdmin ? 'laut' : 'gray'}
      style={{ flex: 'none' }}
    >
      {isAdmin ? 'Admin' : 'User'}
    </Badge>
  );
}

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return (
    <Badge
      component="span"
      variant="light"
      size="lg"
      fw={600}
      color={isActive ? 'green' : 'red'}
      style={{ flex: 'none' }}
    >
      {isActive ? 'Aktif' : 'Nonaktif'}
    </Badge>
  );
}
