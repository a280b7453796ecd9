import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Retries once, and only what may succeed at once: no answer, or an error of the server (5xx). */
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
        // The server may be in the local network, which a phone without internet still reaches.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
