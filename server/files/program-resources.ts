import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { diskResources, isSingleBinary, seaResources, type Resources } from './resources.ts';

/**
 * The shipped files of this program: inside the single binary, beside the bundle (`dist/server/main.mjs`) or, from
 * sources, in the project. `client`, `docs` (the API's page), `migrations` and `guide` (the office's handbook).
 */
export function programResources(): Resources {
  if (isSingleBinary()) return seaResources();
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const bundled = existsSync(here('../migrations/meta/_journal.json'));
  return bundled
    ? diskResources({
        client: here('../client'),
        docs: here('../docs'),
        migrations: here('../migrations'),
        guide: here('../guide'),
      })
    : diskResources({
        client: here('../../dist/client'),
        docs: here('../../node_modules/swagger-ui-dist'),
        migrations: here('../../drizzle'),
        guide: here('../../docs'),
      });
}
