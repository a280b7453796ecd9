import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contentAnswer } from '#server/http/api-docs/openapi.ts';
import { IMAGE_TYPES } from '#server/images/image-type.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { uploadTypeOf } from '#server/uploads/upload-names.ts';
import { notFoundError, sendUpload } from '#server/uploads/upload-routes.ts';
import { type IdentityService, LOGO_PATH } from './identity-service.ts';

/** The logo of now, for everybody; every other name of a logo is answered with 404 (R-OFFICE-21). */
export function logoRoutes(
  app: FastifyInstance,
  context: Pick<ServiceContext, 'proofsDir' | 'requireFiles'>,
  identity: IdentityService,
  crossOrigin: boolean,
): void {
  app.get<{ Params: { file: string } }>(
    `${LOGO_PATH}/:file`,
    {
      schema: {
        tags: ['Identitas kantor'],
        summary: 'Logo kantor',
        description: 'Alamatnya adalah logo_url dari identitas kantor; tidak memerlukan header.',
        security: [],
        response: { 200: contentAnswer(IMAGE_TYPES.jpg, IMAGE_TYPES.png, IMAGE_TYPES.gif), 304: z.null() },
      },
    },
    async (request, reply) => {
      const { file } = request.params;
      const type = uploadTypeOf(file);
      if (type === null || !(await identity.isLogo(file))) throw notFoundError();
      // A new logo has another path, so a day is no risk.
      reply.header('cache-control', 'public, max-age=86400');
      return sendUpload(request, reply, context, { file, type, crossOrigin });
    },
  );
}
