import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads again whatever shows records: list, figures, history.
 * @param goneId a record that was just deleted; asking for it now would only answer that it is missing
 */
export async function reloadRecords(queries: QueryClient, goneId?: string): Promise<void> {
  const isGone = (key: readonly unknown[]) => goneId !== undefined && key[2] === goneId;
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['tax-records'], predicate: ({ queryKey }) => !isGone(queryKey) }),
    queries.invalidateQueries({ queryKey: ['reports'] }),
    queries.invalidateQueries({ queryKey: ['audit'] }),
  ]);
}
