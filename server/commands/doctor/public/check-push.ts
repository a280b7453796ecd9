import { isPublicAddress } from '#server/features/push/endpoints/public-addresses.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding } from '../finding.ts';
import { listPushOrigins } from './account-queries.ts';
import { inspectDatabase } from './inspect-database.ts';
import type { PublicHost } from './public-host.ts';

const ORIGINS_MAX = 5;

/** Without the internet notifications wait; messages do not (docs/requirements.md R-ACME-34). */
export function checkPush(settings: Settings, host: PublicHost): AsyncGenerator<Finding> {
  return inspectDatabase(settings, async function* (orm) {
    const origins = listPushOrigins(orm, ORIGINS_MAX);
    const isAnswered = await Promise.all(origins.map((origin) => answers(origin, settings, host)));
    const silent = origins.filter((_, at) => isAnswered[at] === false).map((origin) => new URL(origin).hostname);
    if (origins.length === 0) return;
    // Anybody may name a push service that does not exist; one that answers shows that pushes get out.
    const exceptions = silent.length > 0 ? `, kecuali ${silent.join(', ')}` : '';
    yield silent.length < origins.length
      ? { what: `layanan notifikasi terjangkau${exceptions}` }
      : {
          what: `notifikasi tidak keluar: ${silent.join(', ')} tidak menjawab`,
          todo: 'Periksa sambungan internet komputer ini. Pesan tidak hilang: terbaca di aplikasi, dan notifikasinya dikirim kemudian.',
        };
  });
}

/** Users named these origins, so only public addresses are asked. */
async function answers(origin: string, { pushAllow }: Settings, host: PublicHost): Promise<boolean> {
  if (!pushAllow.includes(origin)) {
    const addresses = (await host.resolve(new URL(origin).hostname)) ?? [];
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) return false;
  }
  return (await host.fetchStatus(origin)) !== null;
}
