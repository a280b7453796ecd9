import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { badFormat } from '../errors.ts';
import { hasBody } from './body-progress.ts';
import { mayHaveNul, withoutEscapedNul, withoutNulFields } from './nul-texts.ts';
import { hasUtf8Query } from './text-encoding.ts';

/**
 * Accepts JSON bodies, and empty ones of any content type (docs/requirements.md R-API-10). multipart-form.ts parses
 * forms.
 */
export function registerContentTypeParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<Buffer>(
    /^application\/([\w.+-]+\+)?json\b/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) done(null, undefined);
      else if (!isUtf8(body)) done(badFormat());
      else if (!mayHaveNul(body)) void parseJson(request, body.toString(), done);
      else {
        const text = body.toString();
        // As it was sent it must be JSON too.
        void parseJson(request, text, (error) => {
          if (error) done(error);
          else void parseJson(request, withoutEscapedNul(text), done);
        });
      }
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(badFormat());
  });

  // Without a body the content type is ignored, even an invalid one.
  app.addHook('onRequest', async ({ raw }) => {
    if (!hasBody(raw)) delete raw.headers['content-type'];
  });
  app.addHook('onRequest', async (request) => {
    if (!request.url.includes('%00')) return;
    request.query = withoutNulFields(request.query ?? {});
    request.params = withoutNulFields(request.params ?? {});
  });
  // An empty body counts as an object without fields, so that the answer names each missing field.
  app.addHook('preValidation', async (request) => {
    // A path without a route is not parsed: it gets the client's page or a 404.
    if (request.routeOptions.url !== undefined && !hasUtf8Query(request.url)) throw badFormat();
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    if (request.body === undefined && request.routeOptions.schema?.body && !isForm) request.body = {};
  });
}
