import { existsSync } from 'node:fs';
import { usesHttps } from '#server/http/listen/listen.ts';
import { checkAdmins, checkFactors, checkRegistrations } from './check-accounts.ts';
import {
  checkBackups,
  checkBackupsOutside,
  checkFailedBackup,
  checkOldCopies,
  checkSecondFolder,
} from './check-backups.ts';
import { checkAuthority, checkCertificate, checkPublicCertificate } from './check-certificates.ts';
import { checkClock, checkFirewall, checkOpenPorts, checkRoot, checkRuntime } from './check-computer.ts';
import { checkDatabase } from './check-database.ts';
import { checkDiskSpace, checkMissingFolder, checkPermissions } from './check-folder.ts';
import { checkNames } from './check-names.ts';
import { checkOutsideBackups, checkPostgres, checkSharedFiles } from './check-postgres.ts';
import { adviseSecondFolder, checkRunningCopy } from './check-running-copy.ts';
import { checkNetwork, checkPort, checkPush, checkServiceRights } from './check-network.ts';
import {
  checkDomain,
  checkForeignOrigins,
  checkMetricsToken,
  checkProxies,
  checkRateLimits,
  checkSecret,
  checkTestSettings,
} from './check-settings.ts';
import type { Check, Finding, Installation } from './check.ts';

const hasFolder = ({ settings }: Installation): boolean => existsSync(settings.dataDir);
const isOnFile = ({ settings }: Installation): boolean => settings.postgres === null;
const isOnPostgres = ({ settings }: Installation): boolean => settings.postgres !== null;
const hasOfficeHttps = ({ settings: { tls } }: Installation): boolean => tls.files !== null || tls.local;

/** Everything that the server needs (docs/requirements.md R-RUN-14). */
export const usualChecks: readonly Check[] = [
  { id: 'missing-folder', appliesTo: (installation) => !hasFolder(installation), run: checkMissingFolder },
  { id: 'permissions', appliesTo: hasFolder, run: checkPermissions },
  { id: 'running-server', appliesTo: hasFolder, run: describeServer },
  {
    id: 'database',
    appliesTo: (installation) => hasFolder(installation) && isOnFile(installation),
    run: checkDatabase,
  },
  { id: 'postgres', appliesTo: isOnPostgres, run: checkPostgres },
  { id: 'shared-files', appliesTo: isOnPostgres, run: checkSharedFiles },
  { id: 'disk-space', appliesTo: hasFolder, run: checkDiskSpace },
  { id: 'port', run: (installation) => checkPort('PORT', installation) },
  { id: 'clock', run: checkClock },
  { id: 'backups', appliesTo: isOnFile, run: checkBackups },
  { id: 'old-copies', run: checkOldCopies },
  { id: 'failed-backup', appliesTo: isOnFile, run: checkFailedBackup },
  { id: 'second-folder', appliesTo: isOnFile, run: checkSecondFolder },
  { id: 'running-copy', appliesTo: isOnFile, run: checkRunningCopy },
  { id: 'outside-backups', appliesTo: isOnPostgres, run: checkOutsideBackups },
  {
    id: 'https-port',
    appliesTo: ({ settings }) => usesHttps(settings),
    run: (installation) => checkPort('TLS_PORT', installation),
  },
  { id: 'service-rights', run: checkServiceRights },
  { id: 'certificate', appliesTo: hasOfficeHttps, run: checkCertificate },
  { id: 'authority', appliesTo: hasOfficeHttps, run: checkAuthority },
  { id: 'public-certificate', run: checkPublicCertificate },
  { id: 'second-factors', run: checkFactors },
  { id: 'network', run: checkNetwork },
  { id: 'push', run: checkPush },
];

/** The checks of a server that stays in the office; before it is made public `backups-outside` says the same. */
export const officeChecks: readonly Check[] = [
  { id: 'no-second-folder', appliesTo: isOnFile, run: adviseSecondFolder },
];

/**
 * The checks before a server is made public (docs/requirements.md R-ACME-33), after the usual ones. They ask name
 * servers, the own name and push services, and change nothing.
 */
export const publicChecks: readonly Check[] = [
  { id: 'public-name', run: checkDomain },
  { id: 'rate-limits', run: checkRateLimits },
  { id: 'proxies', run: checkProxies },
  { id: 'origins', run: checkForeignOrigins },
  { id: 'metrics-token', run: checkMetricsToken },
  { id: 'secret', run: checkSecret },
  { id: 'test-settings', run: checkTestSettings },
  { id: 'names', run: checkNames },
  { id: 'admins', run: checkAdmins },
  { id: 'registrations', run: checkRegistrations },
  { id: 'backups-outside', appliesTo: isOnFile, run: checkBackupsOutside },
  { id: 'open-ports', run: checkOpenPorts },
  { id: 'firewall', run: checkFirewall },
  { id: 'root', run: checkRoot },
  { id: 'runtime', run: checkRuntime },
];

/** Runs checks one after the other. Each finding comes at once: the check of a large database takes long. */
export async function* runChecks(checks: readonly Check[], installation: Installation): AsyncGenerator<Finding> {
  for (const { appliesTo, run } of checks) {
    if (appliesTo && !appliesTo(installation)) continue;
    const findings = await run(installation);
    if (findings === null) continue;
    if ('what' in findings) yield findings;
    else yield* findings;
  }
}

function describeServer({ isRunning }: Installation): Finding {
  return {
    what: isRunning
      ? 'server sedang berjalan pada folder data ini'
      : 'tidak ada server yang berjalan pada folder data ini',
  };
}
