import { PUBLIC_OFFICE_MAX, PUBLIC_OFFICE_WINDOW_MS } from '#shared/limits.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** Counts the reads of callers without a session. @returns a function that throws 429 after too many from one address */
export function createPublicReads({ rateLimits, monotonicNow }: Pick<ServiceContext, 'rateLimits' | 'monotonicNow'>) {
  const reads = createRateLimit(PUBLIC_OFFICE_MAX, PUBLIC_OFFICE_WINDOW_MS, monotonicNow);
  return (address: string): void => {
    if (!rateLimits) return;
    const network = addressKey(address);
    reads.check(network);
    reads.count(network);
  };
}
