import { Center, Loader, Text } from '@mantine/core';

/** Fills the page while its code is loaded. */
export function PageLoading() {
  return (
    <Center component="output" mih="60dvh" style={{ gap: 'var(--mantine-spacing-sm)' }}>
      <Loader size="sm" aria-hidden />
      <Text c="dimmed">Memuat…</Text>
    </Center>
  );
}
