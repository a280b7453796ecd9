import { Group, Text } from '@mantine/core';
import { APP_NAME } from '#shared/labels.ts';
import markUrl from '#client/favicon.svg';

/** The logo and name of the product. */
export function Brand({ size = 32 }: { size?: number }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={markUrl} alt="" width={size} height={size} />
      <Text fw={700} fz={size > 36 ? 'xl' : 'lg'} lh={1.2}>
        {APP_NAME}
      </Text>
    </Group>
  );
}
