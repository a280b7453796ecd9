/** The query did not run, or not to its end: too much is waiting, or its caller hung up. The caller gets a 503. */
export class QueryRefusedError extends Error {
  readonly code = 'QUERY_REFUSED';
}

/** SQLite calls it under this name while it reads rows: better-sqlite3 has no way to interrupt a statement. */
export const STOP_FUNCTION = 'stop_if_abandoned';

const never = (): boolean => false;
/** About the query that this thread runs; one at a time. */
let isAbandoned = never;

/** Runs a query that stops once its caller has hung up. @param check tells whether it has; asked between the steps */
export async function runUntilAbandoned<R>(check: () => boolean, run: () => Promise<R>): Promise<R> {
  isAbandoned = check;
  try {
    return await run();
  } finally {
    isAbandoned = never;
  }
}

/** Called between the steps of a query that may take long. @throws QueryRefusedError when its caller has hung up */
export function stopIfAbandoned(): void {
  if (isAbandoned()) throw new QueryRefusedError('the caller hung up');
}
