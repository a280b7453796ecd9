import type { Settings } from '#server/settings.ts';

const UNPRIVILEGED_PORT_MIN = 1024;

/** Whether it listens on a port that only root may take. */
export const usesPrivilegedPort = ({ port, tls }: Pick<Settings, 'port' | 'tls'>): boolean =>
  [port, tls.port].some((asked) => asked > 0 && asked < UNPRIVILEGED_PORT_MIN);
