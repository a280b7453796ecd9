import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads again whatever shows records: list, figures, history.
 * @param deletedId a record that was just deleted; asking for it now would only answer that it is missing
 */
export async function reloadAdminRecords(queryClient: QueryClient, deletedId?: string): Promise<void> {
  const isDeleted = (key: readonly unknown[]) => deletedId !== undefined && key[2] === deletedId;
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['tax-records'], predicate: ({ queryKey }) => !isDeleted(queryKey) }),
    queryClient.invalidateQueries({ queryKey: ['reports'] }),
    queryClient.invalidateQueries({ queryKey: ['audit'] }),
  ]);
}
