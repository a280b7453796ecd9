import type { FastifyInstance } from 'fastify';
import { badFormat } from './errors.ts';

/**
 * What a body may be: JSON, or nothing at all whatever the content type says (contract 2). Multipart forms have their
 * own door in form.ts.
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

  // Where nothing follows, a content type means nothing, not even a broken one.
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const length = headers['content-length'];
    const isEmpty = length === '0' || (length === undefined && headers['transfer-encoding'] === undefined);
    if (isEmpty) delete headers['content-type'];
  });
  // A form sent without anything is a form with every field missing, and is told so field by field.
  app.addHook('preValidation', async (request) => {
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    if (request.body === undefined && request.routeOptions.schema?.body && !isForm) request.body = {};
  });
}
