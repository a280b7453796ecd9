import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { diskResources, isSingleBinary, seaResources, type Resources } from './resources.ts';

/**
 * The files that ship with this program: in the single binary, beside the bundle (`dist/server/main.mjs`), or in the
 * project when it runs from sources. They are `client`, `docs` (the page of the API), `migrations`, `guide` (the handbook as text), `handbook` (its pages) and
 * `LICENSES.txt` (the licenses of what others have written).
 */
export function programResources(): Resources {
  if (isSingleBinary()) return seaResources();
  const resolvePath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const bundled = existsSync(resolvePath('../migrations/meta/_journal.json'));
  return bundled
    ? diskResources({
        client: resolvePath('../client'),
        docs: resolvePath('../docs'),
        migrations: resolvePath('../migrations'),
        guide: resolvePath('../guide'),
        handbook: resolvePath('../handbook'),
        'LICENSES.txt': resolvePath('../LICENSES.txt'),
      })
    : diskResources({
        client: resolvePath('../../dist/client'),
        docs: resolvePath('../../node_modules/swagger-ui-dist'),
        migrations: resolvePath('../../drizzle'),
        guide: resolvePath('../../docs'),
        handbook: resolvePath('../../dist/handbook'),
        'LICENSES.txt': resolvePath('../../dist/LICENSES.txt'),
      });
}
