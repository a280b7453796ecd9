import { Counter, Gauge, type Registry } from 'prom-client';
import type { PublicReach, PushReach } from '#shared/api/system.ts';

/** Read at each scrape. */
export type Reach = { publicReach: () => PublicReach | null; pushReach: () => Promise<PushReach> };

const secondsOf = (iso: string): number => Date.parse(iso) / 1000;

/** A value that is read at each scrape. What is not known has no line. */
export function registerKnownGauge(
  name: string,
  help: string,
  read: () => number | null | Promise<number>,
  registers: Registry[],
): void {
  const made = new Gauge({
    name,
    help,
    registers,
    async collect() {
      const value = await read();
      // A gauge starts with the value 0, which would be a lie.
      if (value === null) made.remove();
      else made.set(value);
    },
  });
}

/** The certificate of the public names, and pushes. */
export function registerReachMetrics({ publicReach, pushReach }: Reach, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number | null | Promise<number>): void =>
    registerKnownGauge(name, help, read, registers);
  const counter = (name: string, help: string, read: () => Promise<number>): void => {
    const made = new Counter({
      name,
      help,
      registers,
      async collect() {
        const value = await read();
        made.reset();
        made.inc(value);
      },
    });
  };
  const certificate = (): PublicReach['certificate'] | undefined => publicReach()?.certificate;

  gauge('pbb_certificate_end_seconds', 'When the certificate of the public names ends, in seconds since 1970.', () => {
    const end = certificate()?.valid_until ?? null;
    return end === null ? null : secondsOf(end);
  });
  gauge(
    'pbb_acme_failed_attempts',
    'Attempts to get a certificate that failed one after another.',
    () => certificate()?.failed_attempts ?? null,
  );
  gauge('pbb_acme_next_attempt_seconds', 'When the directory is asked next, in seconds since 1970.', () => {
    const at = certificate()?.next_attempt_at ?? null;
    return at === null ? null : secondsOf(at);
  });
  gauge('pbb_push_subscriptions', 'Browsers that get pushes.', async () => (await pushReach()).subscriptions);
  gauge(
    'pbb_push_waiting',
    'Pushes that wait for their turn or for another attempt.',
    async () => (await pushReach()).waiting,
  );
  counter('pbb_push_sent_total', 'Pushes that a push service accepted.', async () => (await pushReach()).sent);
  counter('pbb_push_failed_total', 'Pushes that were refused or given up.', async () => (await pushReach()).failed);
}
