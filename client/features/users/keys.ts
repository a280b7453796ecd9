import type { QueryClient } from '@tanstack/react-query';

/** The query keys of accounts. */
export const userKeys = {
  all: ['users'],
  list: (query: object) => ['users', 'list', query],
  counts: ['users', 'counts'],
  user: (id: string) => ['users', 'user', id],
} as const;

/** Queries that a change affects: deleting an account deletes its records, and records show the name. */
const AFFECTED_KEYS = [userKeys.all, ['tax-records'], ['reports'], ['audit'], ['auth', 'user']];

/** Loads everything again that the change of an account may affect. */
export async function reloadUsers(queryClient: QueryClient): Promise<void> {
  await Promise.all(AFFECTED_KEYS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
