import { Paper, Skeleton, Stack } from '@mantine/core';

/** Takes the place of a list until its rows are loaded. */
export function ListSkeleton({ rowCount }: { rowCount: number }) {
  return (
    <Stack gap="sm" aria-hidden>
      {Array.from({ length: rowCount }, (_, row) => (
        <Paper key={row} withBorder p="md">
          <Skeleton height={18} width="45%" mb="xs" />
          <Skeleton height={14} width="70%" />
        </Paper>
      ))}
    </Stack>
  );
}
