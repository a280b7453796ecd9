import { printTable } from '../measure.ts';

/** `counted` says how much was compared; a check that compared nothing proves nothing. */
export type Check = { name: string; counted: number; failures: string[] };

/** @throws with the first failures when a check failed */
export function requireAll(title: string, checks: Check[]): void {
  const failures = checks.flatMap((check) => check.failures.map((failure) => `${check.name}: ${failure}`));
  if (failures.length > 0)
    throw new Error(`${title}: ${failures.length} failures\n${failures.slice(0, 20).join('\n')}`);
}

export function printChecks(title: string, checks: Check[]): void {
  printTable(
    title,
    ['', 'compared', ''],
    checks.map(({ name, counted, failures }) => [
      name,
      String(counted),
      failures.length === 0 ? 'ok' : `${failures.length} FAILED`,
    ]),
  );
}
