import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * Invalidates queries after a change, and fetches again what is on screen. A first load that is under way may have read the
 * state before the change. React Query would keep waiting for it, so it is cancelled and starts again.
 */
export async function reloadQueries(queryClient: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  await queryClient.cancelQueries({
    ...filters,
    predicate: (query) => query.state.data === undefined && (filters.predicate?.(query) ?? true),
  });
  await queryClient.invalidateQueries(filters);
}
