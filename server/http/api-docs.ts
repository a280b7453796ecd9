import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { APP_NAME, errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { APP_VERSION } from '#server/version.ts';
import { loadStaticFiles, sendStaticFile } from './static-files.ts';
import { notFound } from './errors.ts';

export const DOCS_PATH = '/api/docs';
/** Only these files of the package: its own start page would load from another host. */
const DOCS_FILES = ['/swagger-ui.css', '/swagger-ui-bundle.js'] as const;

const docsPage = `<!doctype html>
<html lang="id">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${APP_NAME}: dokumentasi API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
    <script src="${DOCS_PATH}/start.js"></script>
  </body>
</html>
`;

// A file of its own: the content security policy allows no inline script.
const startScript = `window.ui = SwaggerUIBundle({ url: '${DOCS_PATH}/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null, persistAuthorization: false });\n`;

/** Collects the schemas of all routes that are registered after it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${APP_NAME}: API`,
        version: APP_VERSION,
        description:
          'Semua panggilan REST aplikasi ini. Masuk lewat POST /api/auth/login, lalu kirim token sebagai "Authorization: Bearer …". Kesalahan selalu berbentuk { success: false, message, errors? }.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ token: [] }],
    },
    transform: describeRoute,
    transformObject: dropUnusedSchemas,
  });
}

/** Adds the error answer, which has the same form for every call, to a route. */
const describeRoute: SwaggerTransform = (source) => {
  const { schema, url } = jsonSchemaTransform(source);
  const responses: Record<string, object> = {};
  for (const [status, answer] of Object.entries(schema.response ?? {})) {
    responses[status] = { 'x-response-description': 'Berhasil', ...answer };
  }
  responses['default'] = { description: 'Galat', $ref: '#/components/schemas/Galat' };
  return { schema: schema.hide ? schema : { ...schema, response: responses }, url };
};

/** Removes schemas without a reference: the library makes one for requests and one for answers of each. */
const dropUnusedSchemas: SwaggerTransformObject = (source) => {
  const document = jsonSchemaTransformObject(source);
  const schemas = ('components' in document && document.components?.schemas) || {};
  // Repeated, because a removed schema may hold the last reference to another one.
  for (let unused = ['']; unused.length > 0;) {
    const text = JSON.stringify(document);
    unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unused) delete schemas[name];
  }
  return document;
};

/** The API page and its files; nothing is loaded from another host. */
export function registerDocsPage(app: FastifyInstance, resources: Resources): void {
  const files = loadStaticFiles(resources, 'docs', DOCS_FILES);
  const hidden = { schema: { hide: true } };
  app.get(`${DOCS_PATH}/openapi.json`, hidden, async () => app.swagger());
  app.get(DOCS_PATH, hidden, async (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage));
  app.get(`${DOCS_PATH}/start.js`, hidden, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  );
  app.get<{ Params: { file: string } }>(`${DOCS_PATH}/:file`, hidden, async (request, reply) => {
    const path = `/${request.params.file}`;
    const file = files.get(path);
    if (!file) throw notFound(errorTexts.pathMissing);
    return sendStaticFile(request, reply, file, path);
  });
}
