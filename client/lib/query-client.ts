import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Only what may go better at once: no answer, or a server in trouble. A second try, not a storm. */
function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= 1 || !(error instanceof ApiError)) return false;
  return error.kind === 'network' || error.status >= 500;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: shouldRetry,
        retryDelay: 1000,
        // The office may be a server in the same room: a phone without internet still reaches it.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
