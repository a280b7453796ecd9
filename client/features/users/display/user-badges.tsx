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
  return <AccountBadge color={isAdmin ? 'laut' : 'gray'} text={isAdmin ? 'Admin' : 'User'} />;
}

export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return <AccountBadge color={isActive ? 'green' : 'red'} text={isActive ? 'Aktif' : 'Nonaktif'} />;
}

function AccountBadge({ color, text }: { color: string; text: string }) {
  return (
    <Badge component="span" variant="light" size="lg" fw={600} color={color} style={{ flex: 'none' }}>
      {text}
    </Badge>
  );
}
