import { gunzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { errorTexts } from '#shared/texts.ts';
import { createCompiler, takeDifferences } from '#server/testing/answer-check.ts';
import { wholeInstallation } from '#server/testing/every-route.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { diskResources } from '#server/files/resources.ts';

type Schema = { type?: unknown; anyOf?: unknown; properties?: Record<string, object> };
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Operation = {
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};

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

/** The app with everything that an installation can have. */
const buildWholeApp = () => buildTestApp(wholeInstallation);

const errorsOf = ({ responses }: Operation) => Object.keys(responses).filter((status) => Number(status) >= 400);
const isAdminCall = (call: string) => call.includes(' /api/admin/');

describe('GET /api/docs/openapi.json', () => {
  it('describes every registered route, and nothing else', async () => {
    const test = await buildWholeApp();
    const documented = operationsOf(await fetchDocument(test)).map(([call]) => call);
    const registered = routesOf(test).map((route) => route.replaceAll(/:([A-Za-z]\w*)/g, '{$1}'));
    // HEAD comes with every GET.
    const calls = registered.filter((route) => !route.startsWith('HEAD '));
    expect(calls).toEqual(
      expect.arrayContaining([
        'POST /api/auth/login',
        'GET /uploads/{file}',
        'GET /healthz',
        'GET /metrics',
        'GET /ca.crt',
      ]),
    );
    expect(documented.toSorted()).toEqual(calls.toSorted());
  });

  it('gives each call a summary, a tag, its security and a success answer', async () => {
    const test = await buildWholeApp();
    const operations = operationsOf(await fetchDocument(test));
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([call]) => call);
    expect(open.toSorted()).toEqual([
      'GET /api/admin/backup-files/{ticket}',
      'GET /api/auth/card',
      'GET /api/auth/export-files/{ticket}',
      'GET /api/docs',
      'GET /api/docs/openapi.json',
      'GET /api/docs/start.js',
      'GET /api/docs/{file}',
      'GET /api/office-identity',
      'GET /api/office/public',
      'GET /ca.crt',
      'GET /ca.mobileconfig',
      'GET /healthz',
      'GET /panduan',
      'GET /panduan/{name}',
      'GET /percaya',
      'GET /readyz',
      'GET /uploads/logo/{file}',
      'GET /uploads/{file}',
      'POST /api/auth/card',
      'POST /api/auth/card/activate',
      'POST /api/auth/login',
      'POST /api/auth/login/second-factor',
      'POST /api/auth/recovery',
      'POST /api/auth/recovery/complete',
      'POST /api/auth/register',
      'POST /api/push/actions',
    ]);
    const lacking = operations.filter(([, { summary, tags, responses }]) => {
      const success = Object.entries(responses).some(([status, { content }]) => /^20[012]$/.test(status) && content);
      return !summary || !tags?.[0] || !success;
    });
    expect(lacking.map(([call]) => call)).toEqual([]);
  });

  it('gives each call its errors by status, each with an Indonesian text as example', async () => {
    const document = await fetchDocument(await buildWholeApp());
    const { Galat: errorSchema } = document.components.schemas;
    const isError = createCompiler(document).compile(errorSchema ?? {});
    for (const [call, operation] of operationsOf(document)) {
      const statuses = errorsOf(operation);
      expect(operation.responses, call).not.toHaveProperty('default');
      expect(statuses, call).toEqual(expect.arrayContaining(['400', '500', '503']));
      // A way in may refuse with 401 and 403 too; otherwise these come with a session and with the role.
      if (!/^POST \/api\/auth\/(?:login|card|card\/activate)$/.test(call)) {
        const needsSession = operation.security?.length !== 0;
        expect(statuses.includes('401'), call).toBe(needsSession);
        if (needsSession && isAdminCall(call)) expect(statuses, call).toContain('403');
      }
      if (call.includes('{')) expect(statuses, call).toContain('404');
      if (!call.startsWith('GET ')) expect(statuses, call).toEqual(expect.arrayContaining(['413', '507']));
      if (operation.requestBody) expect(statuses, call).toContain('422');
      // A balancer reads only the status of this one, and its body is no error.
      for (const status of statuses.filter((one) => `${call} ${one}` !== 'GET /readyz 503')) {
        const { schema, example } = operation.responses[status]?.content?.['application/json'] ?? {};
        expect(schema, `${call} ${status}`).toEqual({ $ref: '#/components/schemas/Galat' });
        expect(isError(example), `${call} ${status}: ${JSON.stringify(example)}`).toBe(true);
      }
    }
    const examplesOf = (call: string) => {
      const [, { responses }] = operationsOf(document).find(([documented]) => documented === call) ?? [
        '',
        { responses: {} },
      ];
      return (status: number) => responses[status]?.content?.['application/json']?.example;
    };
    expect(examplesOf('PUT /api/admin/users/{id}')(409)).toMatchObject({
      success: false,
      message: errorTexts.conflict,
    });
    expect(examplesOf('POST /api/auth/login')(401)).toMatchObject({ message: 'Email atau password salah' });
    expect(examplesOf('POST /api/auth/login')(422)).toEqual({
      success: false,
      message: 'Email wajib diisi',
      errors: { email: ['Email wajib diisi'], password: ['Password wajib diisi'] },
    });
  });

  it('describes the image of a form, and that a body may be absent', async () => {
    const { paths } = await fetchDocument(await buildTestApp());
    const bodyOf = (path: string, method: string) => paths[path]?.[method]?.requestBody;
    const image = { type: 'string', format: 'binary' };
    for (const [path, method] of [
      ['/api/tax-records', 'post'],
      ['/api/tax-records/{id}', 'put'],
      ['/api/admin/tax-records', 'post'],
      ['/api/admin/tax-records/{id}', 'put'],
    ] as const) {
      const { content, required } = bodyOf(path, method) ?? {};
      const form = content?.['multipart/form-data']?.schema.properties ?? {};
      const json = content?.['application/json']?.schema.properties ?? {};
      expect(required, path).toBe(true);
      expect(form, path).toMatchObject({ name: { type: 'string' }, amount: { type: 'number' }, payment_proof: image });
      expect(Object.keys(form).filter((field) => !(field in json))).toEqual(['payment_proof']);
    }
    const proof = bodyOf('/api/tax-records/{id}/payment-proof', 'post');
    expect(proof).toMatchObject({ required: true });
    expect(Object.keys(proof?.content ?? {})).toEqual(['multipart/form-data']);
    expect(proof?.content['multipart/form-data']?.schema).toMatchObject({ properties: { payment_proof: image } });

    const autoCreate = bodyOf('/api/tax-records/auto-create', 'post');
    expect(autoCreate?.required).toBe(false);
    expect(JSON.stringify(autoCreate)).toContain('"minimum":2020,"maximum":2030');
    expect(bodyOf('/api/messages/conversation/{userId}/seen', 'post')?.required).toBe(false);
    expect(bodyOf('/api/auth/login', 'post')?.required).toBe(true);
  });

  it('describes the parameters of every path and the queries with their types', async () => {
    const document = await fetchDocument(await buildWholeApp());
    for (const [call, { parameters = [] }] of operationsOf(document)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const names = [...call.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      expect(inPath.map(({ name }) => name).toSorted(), call).toEqual(names.toSorted());
      expect(
        inPath.every(({ required }) => required),
        call,
      ).toBe(true);
      for (const { name, schema } of parameters) {
        expect(schema.type ?? schema.anyOf, `${call} ${name}`).toBeTruthy();
        expect(schema, `${call} ${name}`).not.toMatchObject({ default: null });
      }
    }
    const queryOf = (path: string) =>
      Object.fromEntries((document.paths[path]?.['get']?.parameters ?? []).map(({ name, schema }) => [name, schema]));
    expect(queryOf('/api/admin/tax-records')).toMatchObject({
      limit: { type: 'integer', minimum: 1 },
      search: { type: 'string', maxLength: 200 },
      status: { enum: ['lunas', 'belum_lunas', 'proses'] },
    });
    expect(Object.keys(queryOf('/uploads/{file}')).toSorted()).toEqual(['e', 'file', 's', 't']);
    expect(Object.keys(document.paths['/uploads/{file}']?.['get']?.responses['200']?.content ?? {})).toEqual([
      'image/jpeg',
      'image/png',
      'image/gif',
      'image/webp',
      'application/pdf',
    ]);
  });

  it('conforms to OpenAPI 3.1, and its schemas are valid and have no unknown keyword', async () => {
    const document = await fetchDocument(await buildWholeApp());
    expect(document.openapi).toBe('3.1.0');
    expect(document).toMatchObject({
      info: { title: expect.any(String) as string, version: expect.any(String) as string },
    });
    const compiler = createCompiler(document);
    const compile = (schema: object): void => {
      compiler.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
    };
    for (const schema of Object.values(document.components.schemas)) compile(schema);
    for (const [call, { parameters = [], requestBody, responses, ...rest }] of operationsOf(document)) {
      expect(Object.keys(rest).toSorted(), call).toEqual(
        ['description', 'security', 'summary', 'tags'].filter((key) => key in rest),
      );
      for (const { schema, ...parameter } of parameters) {
        compile(schema);
        expect(parameter, call).toMatchObject({ in: expect.stringMatching(/^(path|query)$/) as string });
      }
      for (const { schema } of Object.values(requestBody?.content ?? {})) compile(schema);
      for (const [status, { description, content = {} }] of Object.entries(responses)) {
        expect(status, call).toMatch(/^[2-5]\d\d$/);
        expect(description, `${call} ${status}`).toBeTruthy();
        for (const { schema } of Object.values(content)) compile(schema);
      }
    }
  });

  it('contains no dangling reference, no unused schema and no English default text', async () => {
    const document = await fetchDocument(await buildTestApp());
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name));
    expect([...referred].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
    expect(text.split('Default Response')).toHaveLength(1);
  });
});

describe('the files of the API page', () => {
  it.each(['/openapi.json', '', '/start.js', '/swagger-ui.css'])(
    'the server sends each file compressed, and answers 304 to a browser that has it: %s',
    async (path) => {
      const test = await buildTestAppWithDocs();
      const url = `/api/docs${path}`;
      const whole = await test.call('GET', url);
      const etag = String(whole.headers['etag']);
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      expect(whole.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
      const unchanged = await test.call('GET', url, { headers: { 'if-none-match': etag } });
      expect([unchanged.status, unchanged.raw.length]).toEqual([304, 0]);
      if (path === '/swagger-ui.css') return;
      const compressed = await test.call('GET', url, { headers: { 'accept-encoding': 'gzip' } });
      expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', etag });
      expect(gunzipSync(compressed.raw)).toEqual(whole.raw);
    },
  );

  it('the server builds the description once, however many callers ask for it', async () => {
    const test = await buildTestApp();
    const swagger = vi.spyOn(test.server, 'swagger');
    // The check of every answer in the tests reads the description too.
    const readers = () => swagger.mock.calls.length;
    await test.call('GET', '/api/docs/openapi.json');
    const afterFirst = readers();
    expect(afterFirst).toBeGreaterThan(0);
    for (const encoding of ['gzip', 'identity', 'br, gzip']) {
      await test.call('GET', '/api/docs/openapi.json', { headers: { 'accept-encoding': encoding } });
    }
    expect(readers()).toBe(afterFirst);
  });
});

describe('the check of every answer in the tests', () => {
  it('reports an unknown status, an unknown property, a missing one and an unknown content type', async () => {
    const test = await buildTestApp();
    const probes: [path: string, send: (reply: FastifyReply) => unknown][] = [
      ['status', (reply) => reply.code(418).send({ success: true })],
      ['extra', (reply) => reply.type('application/json').send('{"status":"ok","version":1}')],
      ['missing', (reply) => reply.type('application/json').send('{}')],
      ['type', (reply) => reply.type('text/plain').send('ok')],
      [
        'error',
        (reply) => reply.code(500).type('application/json').send('{"success":false,"message":"x","stack":"y"}'),
      ],
      ['fine', (reply) => reply.send({ status: 'ok' })],
    ];
    for (const [path, send] of probes) {
      const schema = { summary: 'Percobaan', security: [], response: { 200: z.object({ status: z.literal('ok') }) } };
      test.server.get(`/probe/${path}`, { schema }, async (_request, reply) => send(reply));
    }
    for (const [path] of probes) await test.call('GET', `/probe/${path}`);
    await test.call('GET', '/api/nothing');
    expect(takeDifferences()).toEqual([
      expect.stringContaining('GET /probe/status answered 418, which its description lacks'),
      expect.stringContaining('must NOT have additional properties {"additionalProperty":"version"}'),
      expect.stringContaining('must have required property'),
      expect.stringContaining('with the content type "text/plain", which its description lacks'),
      expect.stringContaining('must NOT have additional properties {"additionalProperty":"stack"}'),
    ]);
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

  it('contains no inline script, so that it works with the usual content security policy', async () => {
    const test = await buildTestAppWithDocs();
    const answer = await test.call('GET', '/api/docs');
    expect(answer.raw.toString()).not.toMatch(/<script>|<style|\son\w+=|style=/);
    expect(String(answer.headers['content-security-policy'])).toContain("default-src 'self'");
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it.each(['*', 'x-gzip', 'gzip;q=0, x-gzip'])(
    'compresses no file anew for a caller that accepts %s',
    async (accepted) => {
      const test = await buildTestAppWithDocs();
      const url = '/api/docs/swagger-ui-bundle.js';
      const [whole, answer] = [
        await test.call('GET', url),
        await test.call('GET', url, { headers: { 'accept-encoding': accepted } }),
      ];
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.raw.equals(whole.raw)).toBe(true);
    },
  );

  it.each(['index.html', 'swagger-initializer.js', 'package.json', '..%2fpackage.json', 'swagger-ui-bundle.js.map'])(
    'does not serve other files of the package: %s',
    async (file) => {
      const test = await buildTestAppWithDocs();
      const answer = await test.call('GET', `/api/docs/${file}`);
      expect(answer).toMatchObject({ status: 404, body: { success: false, message: 'Halaman tidak ditemukan' } });
    },
  );
});
