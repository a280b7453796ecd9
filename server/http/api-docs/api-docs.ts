import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { APP_NAME } from '#shared/labels.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { loadStaticFiles, sendStaticFile, type StaticFile, textFile } from '../static-files.ts';
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

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** The API page and its files; nothing is loaded from another host. */
export function registerDocsPage(app: FastifyInstance, resources: Resources): void {
  const files = loadStaticFiles(resources, 'docs', DOCS_FILES);
  const page = textFile(HTML, docsPage);
  const script = textFile(SCRIPT, startScript);
  // Made once, for the first reader: describing every route takes too long for each request, and for each start.
  let description: StaticFile | null = null;

  function serve(path: string, summary: string, types: string[], findFile: (request: FastifyRequest) => StaticFile) {
    const response = { 200: contentAnswer(...types), 304: z.null() };
    app.get(path, { schema: { tags: ['Dokumentasi'], summary, security: [], response } }, (request, reply) =>
      sendStaticFile(request, reply, findFile(request), path),
    );
  }
  serve(`${DOCS_PATH}/openapi.json`, 'Dokumen OpenAPI ini', ['application/json'], () => {
    return (description ??= textFile(JSON_TYPE, JSON.stringify(app.swagger())));
  });
  serve(DOCS_PATH, 'Halaman dokumentasi', ['text/html'], () => page);
  serve(`${DOCS_PATH}/start.js`, 'Awal halaman dokumentasi', ['text/javascript'], () => script);
  serve(`${DOCS_PATH}/:file`, 'Berkas halaman dokumentasi', ['text/css', 'text/javascript'], ({ params }) => {
    const file = files.get(`/${(params as { file: string }).file}`);
    if (!file) throw notFound(errorTexts.pathMissing);
    return file;
  });
}
