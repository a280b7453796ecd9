import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { diskResources, type Resources } from './resources.ts';

/** The shipped files beside this program: in the bundle (`dist/server/main.mjs`) or, from sources, in the project. */
export function programResources(): Resources {
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const bundled = existsSync(here('../migrations/meta/_journal.json'));
  return bundled
    ? diskResources({ client: here('../client'), docs: here('../docs'), migrations: here('../migrations') })
    : diskResources({
        client: here('../dist/client'),
        docs: here('../node_modules/swagger-ui-dist'),
        migrations: here('../drizzle'),
      });
}
