import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { officeCalls } from '#shared/api/calls/office.ts';
import { LOGO_FIELD, type OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { matchesEtag } from '#server/http/answers/request-headers.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { IdentityService } from './identity/identity-service.ts';
import type { OfficeService } from './service.ts';

/**
 * Everybody reads it and it seldom changes, so browsers keep it and ask with the ETag (R-OFFICE-21).
 * @param countRead is not called for a browser that has the answer
 */
function answerWithEtag(request: FastifyRequest, reply: FastifyReply, identity: OfficeIdentity, countRead: () => void) {
  const answer = presentSingle('Identitas kantor', identity);
  const etag = `"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url').slice(0, 22)}"`;
  const isKept = matchesEtag(request, etag);
  if (!isKept) countRead();
  reply.headers({ etag, 'cache-control': 'public, no-cache' });
  return isKept ? reply.code(304).send() : answer;
}

export function officeRoutes(office: OfficeService, identity: IdentityService): Handlers<typeof officeCalls> {
  return {
    'GET /office': async ({ currentUser }) => presentSingle('Status kantor', await office.current(currentUser)),
    'GET /office/public': async ({ request, reply }) => {
      const hours = await office.publicHours(request.ip);
      reply.header('cache-control', 'public, max-age=60');
      return presentSingle('Jam layanan', hours);
    },
    'GET /admin/office-hours': async () => presentSingle('Jam layanan', await office.hours()),
    'PUT /admin/office-hours': async ({ currentUser, body }) =>
      presentSingle('Jam layanan berhasil disimpan', await office.saveHours(currentUser, body)),
    'GET /admin/office-identity': async () => presentSingle('Identitas kantor', await identity.current()),
    'PUT /admin/office-identity': async ({ currentUser, body }) =>
      presentSingle('Identitas kantor berhasil disimpan', await identity.save(currentUser, body)),
    'POST /admin/office-identity/logo': async ({ currentUser, files }) =>
      presentSingle('Logo berhasil disimpan', await identity.saveLogo(currentUser, files.get(LOGO_FIELD))),
    'DELETE /admin/office-identity/logo': async ({ currentUser }) =>
      presentSingle('Logo berhasil dihapus', await identity.removeLogo(currentUser)),
    'GET /office-identity': async ({ request, reply }) =>
      answerWithEtag(request, reply, await identity.current(), () => identity.countPublicRead(request.ip)),
  };
}
