import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { officeIdentityAnswer, officeIdentityBody } from '#shared/api/office-identity.ts';
import { LOGO_MAX_BYTES } from '#shared/limits.ts';
import { identityTexts } from '#shared/texts.ts';
import { createFormParser, type FormShape } from '#server/http/bodies/multipart-form.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { type IdentityService, LOGO_FIELD } from './identity-service.ts';

export const IDENTITY_TAGS = ['Identitas kantor'];
export const READ_TEXT = 'Identitas kantor';

const logoForm: FormShape = {
  numbers: [],
  booleans: [],
  nullWhenMissing: [],
  files: [LOGO_FIELD],
  fileText: 'Gambar JPG, PNG, atau GIF; paling besar 1.048.576 byte',
  fileMaxBytes: LOGO_MAX_BYTES,
  tooLargeText: identityTexts.logoTooLarge,
};
/** Exists for the API documentation; the image itself arrives beside the body. */
const logoBody = z
  .object({ [LOGO_FIELD]: z.unknown().optional().meta({ type: 'string', format: 'binary' }) })
  .nullish();

/** The calls of admins (R-OFFICE-20, R-OFFICE-22). */
export function identityRoutes(identity: IdentityService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/office-identity',
      {
        onRequest: requireAdmin,
        schema: { tags: IDENTITY_TAGS, summary: READ_TEXT, response: { 200: officeIdentityAnswer } },
      },
      async () => presentSingle(READ_TEXT, identity.current()),
    );
    app.put(
      '/admin/office-identity',
      {
        onRequest: requireAdmin,
        config: { errors: { 422: identityTexts.whatsappInvalid } },
        schema: {
          tags: IDENTITY_TAGS,
          summary: 'Menyimpan identitas kantor',
          description: 'Bidang yang tidak dikirim tidak berubah. whatsapp: angka, spasi, + dan -.',
          body: officeIdentityBody,
          response: { 200: officeIdentityAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Identitas kantor berhasil disimpan',
          await identity.save(requireCurrentUser(request), request.body),
        ),
    );
    app.post(
      '/admin/office-identity/logo',
      {
        onRequest: requireAdmin,
        preValidation: createFormParser(logoForm),
        config: { form: logoForm, errors: { 422: identityTexts.logoRequired } },
        schema: {
          tags: IDENTITY_TAGS,
          summary: 'Mengganti logo kantor',
          description: 'multipart/form-data dengan gambar di logo. Alamat logo berubah; alamat yang lama menjawab 404.',
          consumes: ['multipart/form-data'],
          body: logoBody,
          response: { 200: officeIdentityAnswer },
        },
      },
      async (request) =>
        presentSingle(
          'Logo berhasil disimpan',
          await identity.saveLogo(requireCurrentUser(request), request.formFiles.get(LOGO_FIELD)),
        ),
    );
    app.delete(
      '/admin/office-identity/logo',
      {
        onRequest: requireAdmin,
        schema: { tags: IDENTITY_TAGS, summary: 'Menghapus logo kantor', response: { 200: officeIdentityAnswer } },
      },
      async (request) => presentSingle('Logo berhasil dihapus', await identity.removeLogo(requireCurrentUser(request))),
    );
  };
  return plugin;
}
