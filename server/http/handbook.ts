import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HANDBOOK_PATH } from '#shared/handbook.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Resources } from '#server/files/resources.ts';
import { contentAnswer } from './api-docs/openapi.ts';
import { notFound } from './errors.ts';
import { loadStaticFiles, sendStaticFile, type StaticFile } from './static-files.ts';

/** The handbook for the office, made by the build: to everybody, because a clerk without a session needs it too (R-RUN-23). */
export function registerHandbook(app: FastifyInstance, resources: Resources): void {
  const files = loadStaticFiles(resources, 'handbook');

  /** A chapter is named without the ending of its file. */
  function findFile(name: string): StaticFile {
    const file = files.get(`/${name}`) ?? files.get(`/${name}.html`);
    if (!file) throw notFound(errorTexts.pathMissing);
    return file;
  }
  function serve(path: string, summary: string, types: string[], nameOf: (request: FastifyRequest) => string) {
    const response = { 200: contentAnswer(...types), 304: z.null() };
    const config = { errors: { 404: errorTexts.pathMissing } };
    app.get(path, { config, schema: { tags: ['Panduan'], summary, security: [], response } }, (request, reply) =>
      sendStaticFile(request, reply, findFile(nameOf(request)), path),
    );
  }
  serve(HANDBOOK_PATH, 'Panduan untuk petugas kantor: semua bab', ['text/html'], () => 'index');
  serve(
    `${HANDBOOK_PATH}/:name`,
    'Satu bab panduan, atau berkas halamannya',
    ['text/html', 'text/css', 'image/webp'],
    ({ params }) => (params as { name: string }).name || 'index',
  );
}
