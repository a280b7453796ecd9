import { Paper, Skeleton, Stack } from '@mantine/core';

const SKELETON_ROWS = [1, 2, 3, 4, 5];

/** Stands where the records will be. */
export function OwnRecordListSkeleton() {
  return (
    <Stack gap="sm" aria-hidden>
      {SKELETON_ROWS.map((row) => (
        <Paper key={row} withBorder p="md">
          <Skeleton height={18} width="45%" mb="xs" />
          <Skeleton height={14} width="70%" />
        </Paper>
      ))}
    </Stack>
  );
}
