import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** Takes the place of a record until it is loaded. */
export function RecordSkeleton() {
  return (
    <>
      <VisuallyHidden component="output">Memuat data PBB…</VisuallyHidden>
      <Stack gap="md" aria-hidden>
        {[1, 2, 3].map((part) => (
          <Paper key={part} withBorder p="lg">
            <Skeleton height={20} width="35%" mb="lg" />
            <Skeleton height={44} mb="md" />
            <Skeleton height={44} width="60%" />
          </Paper>
        ))}
      </Stack>
    </>
  );
}
