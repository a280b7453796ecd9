import { it } from 'vitest';
import { describeSchema, type Probe, probeAll, ROUTES_TIMEOUT_MS } from '#server/testing/every-route.ts';

/** Two values of a query together: the rules of queries are the same, whatever database is asked afterwards. */

/** Values that may break a check of two values together. */
const PAIRED_QUERY_VALUES = [
  '',
  'x',
  'z',
  '-1',
  '2026-02-30',
  '0000-01-01',
  '2026-01-01',
  '9999-12-31',
  '%F0%9F%98%80',
];

async function sendPairs({ route, permitted, path, send }: Probe): Promise<void> {
  const { properties = {} } = describeSchema(route.schema?.querystring);
  const keys = Object.keys(properties);
  // Two of a kind, such as the ends of a period, are compared with each other.
  const kindOf = (key: string): string => JSON.stringify({ ...properties[key], description: undefined });
  const queries = keys.flatMap((key, index) =>
    keys
      .slice(index + 1)
      .flatMap((other) =>
        PAIRED_QUERY_VALUES.flatMap((value) =>
          (kindOf(key) === kindOf(other) ? PAIRED_QUERY_VALUES : [value]).map(
            (otherValue) => `${key}=${value}&${other}=${otherValue}`,
          ),
        ),
      ),
  );
  // The rules are the same for every caller.
  for (const caller of permitted.slice(-1))
    for (const query of queries) await send('query', caller, `${path()}?${query}`);
}

it('every registered call answers two wrong values of a query in the envelope', { timeout: ROUTES_TIMEOUT_MS }, () =>
  probeAll(sendPairs),
);
