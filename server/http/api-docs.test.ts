import { describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { diskResources } from '#server/files/resources.ts';

type Operation = {
  summary?: string;
  tags?: string[];
  security?: object[];
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: object } };

const buildTestAppWithDocs = () =>
  buildTestApp({
    resources: diskResources({
      migrations: 'drizzle',
      client: 'server/testing/client',
      docs: 'node_modules/swagger-ui-dist',
    }),
  });

async function fetchDocument(test: TestApp): Promise<Document> {
  const answer = await test.call('GET', '/api/docs/openapi.json');
  expect(answer.status).toBe(200);
  return JSON.parse(answer.raw.toString()) as Document;
}

function operationsOf({ paths }: Document): [call: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as [string, Operation],
    ),
  );
}

/** All registered routes, read from the router, as in `GET /api/tax-records/:id`. */
function routesOf({ server }: TestApp): string[] {
  const routes: string[] = [];
  const segments: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods = ''] =
      /^([│\s]*(?:├── |└── ))(.*?)(?: \(([A-Z, ]+)\))?$/u.exec(line) ?? [];
    if (!indent) continue;
    segments.length = indent.length / 4 - 1;
    segments.push(segment);
    for (const method of methods.split(', ')) if (method) routes.push(`${method} ${segments.join('')}`);
  }
  return routes;
}

describe('GET /api/docs/openapi.json', () => {
  it('describes every registered call of the API', async () => {
    const test = await buildTestApp();
    const documented = operationsOf(await fetchDocument(test)).map(([call]) => call);
    const registered = routesOf(test).map((route) => route.replaceAll(/:([A-Za-z]\w*)/g, '{$1}'));
    const calls = registered.filter((route) => /^(GET|POST|PUT|PATCH|DELETE) \/api\/(?!docs)/.test(route));
    expect(calls).toEqual(expect.arrayContaining(['POST /api/auth/login', 'GET /api/auth/user']));
    expect(calls.filter((call) => !documented.includes(call))).toEqual([]);
    expect(documented.filter((call) => !registered.includes(call))).toEqual([]);
  });

  it('gives each call a summary, a tag, its security and a success answer', async () => {
    const test = await buildTestApp();
    const operations = operationsOf(await fetchDocument(test)).filter(([call]) => call.includes(' /api/'));
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([call]) => call);
    expect(open.toSorted()).toEqual([
      'GET /api/admin/backup-files/{ticket}',
      'POST /api/auth/login',
      'POST /api/auth/register',
    ]);
    const lacking = operations.filter(([, { summary, tags, responses }]) => {
      const success = Object.entries(responses).some(([status, { content }]) => /^20[01]$/.test(status) && content);
      return !summary || !tags?.[0] || !success || !responses['default']?.content;
    });
    expect(lacking.map(([call]) => call)).toEqual([]);
  });

  it('has no dangling reference, no unused schema and no English default text', async () => {
    const test = await buildTestApp();
    const document = await fetchDocument(test);
    expect(document.openapi).toBe('3.1.0');
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name));
    expect([...referred].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
    expect(text.split('Default Response')).toHaveLength(1);
  });
});

describe('GET /api/docs', () => {
  it('loads only files of this server, which refer to no other host', async () => {
    const test = await buildTestAppWithDocs();
    const page = (await test.call('GET', '/api/docs')).raw.toString();
    expect(page).not.toMatch(/https?:|\/\/\w/);
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, url = '']) => url)
      .filter((url) => url !== 'data:,');
    expect(loaded).toEqual(['/api/docs/swagger-ui.css', '/api/docs/swagger-ui-bundle.js', '/api/docs/start.js']);
    for (const url of loaded) {
      const answer = await test.call('GET', url);
      expect(answer.status, url).toBe(200);
      expect(answer.headers['content-type'], url).toBe(
        url.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
    }
    const script = (await test.call('GET', '/api/docs/start.js')).raw.toString();
    expect(script).not.toMatch(/https?:/);
    expect(script).toContain('validatorUrl: null');
    const style = (await test.call('GET', '/api/docs/swagger-ui.css')).raw.toString();
    expect(style).not.toMatch(/url\(["']?(https?:)?\/\//);
  });

  it('has no inline script, so that it works with the usual content security policy', async () => {
    const test = await buildTestAppWithDocs();
    const answer = await test.call('GET', '/api/docs');
    expect(answer.raw.toString()).not.toMatch(/<script>|<style|\son\w+=|style=/);
    expect(String(answer.headers['content-security-policy'])).toContain("default-src 'self'");
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it.each(['index.html', 'swagger-initializer.js', 'package.json', '..%2fpackage.json', 'swagger-ui-bundle.js.map'])(
    'does not serve other files of the package: %s',
    async (file) => {
      const test = await buildTestAppWithDocs();
      const answer = await test.call('GET', `/api/docs/${file}`);
      expect(answer).toMatchObject({ status: 404, body: { success: false, message: 'Halaman tidak ditemukan' } });
    },
  );
});
