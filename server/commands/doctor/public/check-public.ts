import { openPublicCertificates } from '#server/operations/acme/public-certificates.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding } from '../finding.ts';
import { checkAccounts } from './check-accounts.ts';
import { checkBackupsOutside } from './check-backups-outside.ts';
import { checkExposure } from './check-exposure.ts';
import { checkNames } from './check-names.ts';
import { checkPublicSettings } from './check-settings.ts';
import type { Listener } from './listeners.ts';
import type { PublicHost } from './public-host.ts';

/**
 * What has to be right before a server is made public, beside the usual checks (docs/requirements.md R-ACME-33). It asks
 * name servers, the own name and push services, and changes nothing.
 */
export async function* checkPublic(
  settings: Settings,
  isRunning: boolean,
  { host, listeners }: { host: PublicHost; listeners: Listener[] | null },
): AsyncGenerator<Finding> {
  yield* checkPublicSettings(settings);
  yield* checkNames(settings, host, isRunning, hasCertificate(settings, host.now));
  yield* checkAccounts(settings, host);
  yield checkBackupsOutside(settings, host.now());
  yield* checkExposure(settings, host, listeners);
}

/** What the usual checks have found to be unreadable counts as none. */
function hasCertificate({ tls, dataDir }: Settings, now: () => number): boolean {
  try {
    return tls.public !== null && openPublicCertificates(tls.public, dataDir, { now }).status().valid_until !== null;
  } catch {
    return false;
  }
}
