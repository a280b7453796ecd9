import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

/** Stands where the accounts will be. */
export function UserListSkeleton() {
  return (
    <>
      <VisuallyHidden component="output">Memuat pengguna…</VisuallyHidden>
      <Stack gap="sm" aria-hidden>
        {SKELETON_ROWS.map((row) => (
          <Paper key={row} withBorder p="md">
            <Skeleton height={18} width="40%" mb="xs" />
            <Skeleton height={14} width="65%" />
          </Paper>
        ))}
      </Stack>
    </>
  );
}
