import type { Settings } from '#server/settings.ts';

const PRIVILEGED_PORTS = 1024;

/** Whether it listens on a port that only root may take. */
export const asksForLowPort = ({ port, tls }: Pick<Settings, 'port' | 'tls'>): boolean =>
  [port, tls.port].some((asked) => asked > 0 && asked < PRIVILEGED_PORTS);
