import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { adminContactAnswer, loginBody, ownUserAnswer, registerBody, sessionAnswer } from '#shared/api/auth.ts';
import { doneAnswer } from '#shared/api/envelope.ts';
import { callerSignal } from '#server/http/caller-signal.ts';
import { SESSIONLESS_JSON_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { presentIds, presentSingle, presentUser } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { AuthService, SignInClient, SignInResult } from './service.ts';
import type { Sessions } from './sessions.ts';

const tags = ['Autentikasi'];

const clientOf = (request: FastifyRequest, reply: FastifyReply): SignInClient => ({
  userAgent: request.headers['user-agent'],
  address: request.ip,
  signal: callerSignal(reply),
});
const presentSession = (message: string, { token, user, deviceToken }: SignInResult) =>
  presentSingle(message, { token, user: presentUser(user), device_token: deviceToken });

export function authRoutes(auth: AuthService, sessions: Sessions, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.post(
      '/auth/login',
      {
        bodyLimit: SESSIONLESS_JSON_MAX_BYTES,
        config: {
          errors: {
            401: errorTexts.wrongLogin,
            403: errorTexts.inactiveAccount,
            429: errorTexts.rateLimited(900),
          },
        },
        schema: { tags, summary: 'Masuk', security: [], body: loginBody, response: { 200: sessionAnswer } },
      },
      async (request, reply) =>
        presentSession('Login berhasil', await auth.login(request.body, clientOf(request, reply))),
    );
    app.post(
      '/auth/register',
      {
        bodyLimit: SESSIONLESS_JSON_MAX_BYTES,
        config: { errors: { 429: errorTexts.rateLimited(900) } },
        schema: { tags, summary: 'Mendaftar', security: [], body: registerBody, response: { 201: sessionAnswer } },
      },
      async (request, reply) => {
        const signedIn = await auth.register(request.body, clientOf(request, reply));
        return reply.code(201).send(presentSession('Registrasi berhasil', signedIn));
      },
    );
    app.post(
      '/auth/logout',
      { onRequest: requireSession, schema: { tags, summary: 'Keluar', response: { 200: doneAnswer } } },
      async (request) => {
        await sessions.close(requireCurrentUser(request).sessionId);
        return presentSingle('Logout berhasil', {});
      },
    );
    app.get(
      '/auth/user',
      { onRequest: requireSession, schema: { tags, summary: 'Akun sendiri', response: { 200: ownUserAnswer } } },
      async (request) => presentSingle('Data user', presentUser(auth.requireUser(requireCurrentUser(request).id))),
    );
    app.get(
      '/auth/admin-contact',
      {
        onRequest: requireSession,
        config: { errors: { 404: errorTexts.noAdmin } },
        schema: { tags, summary: 'Administrator yang dapat dihubungi', response: { 200: adminContactAnswer } },
      },
      async () => {
        const { id, name } = auth.requireContactAdmin();
        return presentSingle('Kontak administrator', { ...presentIds(id), name });
      },
    );
  };
  return plugin;
}
