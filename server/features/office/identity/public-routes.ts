import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { officeIdentityAnswer } from '#shared/api/office-identity.ts';
import { errorTexts } from '#shared/texts.ts';
import { contentAnswer } from '#server/http/api-docs/openapi.ts';
import { matchesEtag } from '#server/http/etag.ts';
import { API_PREFIX } from '#server/http/http-server.ts';
import { presentSingle } from '#server/http/present.ts';
import { IMAGE_TYPES } from '#server/images/image-type.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { uploadTypeOf } from '#server/uploads/upload-names.ts';
import { notFoundError, sendUpload } from '#server/uploads/upload-routes.ts';
import { IDENTITY_TAGS, READ_TEXT } from './identity-routes.ts';
import { type IdentityService, LOGO_PATH } from './identity-service.ts';

/** What everybody may read: the identity, and the logo of now; every other name of a logo is answered with 404 (R-OFFICE-21). */
export function publicIdentityRoutes(
  app: FastifyInstance,
  { proofsDir }: Pick<ServiceContext, 'proofsDir'>,
  identity: IdentityService,
  crossOrigin: boolean,
): void {
  app.get(
    `${API_PREFIX}/office-identity`,
    {
      config: { errors: { 429: errorTexts.rateLimited(60) } },
      schema: {
        tags: IDENTITY_TAGS,
        summary: 'Nama, alamat, telepon, dan logo kantor untuk siapa saja, juga tanpa login',
        description: 'Teks kosong dan logo_url null selama belum diisi. Dengan ETag.',
        security: [],
        response: { 200: officeIdentityAnswer, 304: z.null() },
      },
    },
    async (request, reply) => {
      const answer = presentSingle(READ_TEXT, identity.publicIdentity(request.ip));
      const etag = `"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 22)}"`;
      reply.headers({ etag, 'cache-control': 'public, no-cache' });
      return matchesEtag(request, etag) ? reply.code(304).send() : answer;
    },
  );
  app.get<{ Params: { file: string } }>(
    `${LOGO_PATH}/:file`,
    {
      schema: {
        tags: IDENTITY_TAGS,
        summary: 'Logo kantor',
        description: 'Alamatnya adalah logo_url dari identitas kantor; tidak memerlukan header.',
        security: [],
        response: { 200: contentAnswer(IMAGE_TYPES.jpg, IMAGE_TYPES.png, IMAGE_TYPES.gif), 304: z.null() },
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const type = uploadTypeOf(file);
      if (type === null || !identity.isLogo(file)) throw notFoundError();
      // A new logo has another path, so a day is no risk.
      reply.header('cache-control', 'public, max-age=86400');
      return sendUpload(request, reply, { path: join(proofsDir, file), type, crossOrigin });
    },
  );
}
