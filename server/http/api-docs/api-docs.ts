import type { FastifyInstance } from 'fastify';
import { APP_NAME } from '#shared/labels.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { loadStaticFiles, sendStaticFile } from '../static-files.ts';
import { notFound } from '../errors.ts';
import { contentAnswer } from './openapi.ts';

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

/** The API page and its files; nothing is loaded from another host. */
export function registerDocsPage(app: FastifyInstance, resources: Resources): void {
  const files = loadStaticFiles(resources, 'docs', DOCS_FILES);
  const describe = (summary: string, ...types: string[]) => ({
    schema: { tags: ['Dokumentasi'], summary, security: [], response: { 200: contentAnswer(...types) } },
  });
  app.get(`${DOCS_PATH}/openapi.json`, describe('Dokumen OpenAPI ini', 'application/json'), async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(app.swagger())),
  );
  app.get(DOCS_PATH, describe('Halaman dokumentasi', 'text/html'), async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(docsPage),
  );
  app.get(`${DOCS_PATH}/start.js`, describe('Awal halaman dokumentasi', 'text/javascript'), async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  );
  const fileDocs = describe('Berkas halaman dokumentasi', 'text/css', 'text/javascript');
  app.get<{ Params: { file: string } }>(`${DOCS_PATH}/:file`, fileDocs, async (request, reply) => {
    const path = `/${request.params.file}`;
    const file = files.get(path);
    if (!file) throw notFound(errorTexts.pathMissing);
    return sendStaticFile(request, reply, file, path);
  });
}
