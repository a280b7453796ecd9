import type { QueryClient } from '@tanstack/react-query';

/** The names under which answers about accounts are kept. */
export const userKeys = {
  all: ['users'],
  list: (query: object) => ['users', 'list', query],
  counts: ['users', 'counts'],
  user: (id: string) => ['users', 'user', id],
} as const;

/** What shows accounts or goes with them: an account that is deleted takes its records along, a new name stands on them. */
const AFFECTED_KEYS = [userKeys.all, ['tax-records'], ['reports'], ['audit'], ['auth', 'user']];

/** Reads again whatever an account's change may have changed. */
export async function reloadUsers(queryClient: QueryClient): Promise<void> {
  await Promise.all(AFFECTED_KEYS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
