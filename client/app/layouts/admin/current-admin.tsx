import { Text } from '@mantine/core';
import { useSession } from '#client/lib/session/session.ts';

/** The name and e-mail of the signed-in admin. */
export function CurrentAdmin() {
  const user = useSession()?.user;
  return (
    <>
      <Text fw={600} fz="sm" lh={1.3} truncate="end">
        {user?.name}
      </Text>
      <Text fz="xs" c="dimmed" lh={1.3} truncate="end">
        {user?.email}
      </Text>
    </>
  );
}
