import type { FastifyInstance } from 'fastify';
import { badFormat } from './errors.ts';

/**
 * Accepts JSON bodies, and empty ones of any content type (docs/requirements.md R-API-10). multipart-form.ts parses
 * forms.
 */
export function registerContentTypeParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    /^application\/([\w.+-]+\+)?json\b/i,
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.length === 0) done(null, undefined);
      else void parseJson(request, body, done);
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(badFormat());
  });

  // Without a body the content type is ignored, even an invalid one.
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const length = headers['content-length'];
    const isEmpty = length === '0' || (length === undefined && headers['transfer-encoding'] === undefined);
    if (isEmpty) delete headers['content-type'];
  });
  // An empty body counts as an object without fields, so that the answer names each missing field.
  app.addHook('preValidation', async (request) => {
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    if (request.body === undefined && request.routeOptions.schema?.body && !isForm) request.body = {};
  });
}
