import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  changeNameBody,
  changePasswordAnswer,
  changePasswordBody,
  type OwnSession,
  ownSessionsAnswer,
  ownUserAnswer,
} from '#shared/api/auth.ts';
import { doneAnswer, idParams } from '#shared/api/envelope.ts';
import { callerSignal } from '#server/http/caller-signal.ts';
import { errorTexts } from '#shared/texts.ts';
import { presentIds, presentList, presentSingle, presentUser } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { AccountService } from './account-service.ts';
import type { ListedSession } from './account-queries.ts';

const tags = ['Akun sendiri'];

function presentOwnSession(row: ListedSession, currentId: string): OwnSession {
  const created = new Date(row.createdAt).toISOString();
  const seen = new Date(row.lastSeenAt).toISOString();
  return {
    ...presentIds(row.id),
    current: row.id === currentId,
    created_at: created,
    createdAt: created,
    last_seen_at: seen,
    lastSeenAt: seen,
    user_agent: row.userAgent,
    address: row.address,
    has_notifications: row.hasNotifications,
  };
}

export function accountRoutes(account: AccountService, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireSession);

    app.put(
      '/auth/user',
      {
        config: { errors: { 429: errorTexts.rateLimited(30) } },
        schema: { tags, summary: 'Mengubah nama sendiri', body: changeNameBody, response: { 200: ownUserAnswer } },
      },
      async (request) => {
        const user = await account.changeName(requireCurrentUser(request), request.body);
        return presentSingle('Profil berhasil diperbarui', presentUser(user));
      },
    );
    app.put(
      '/auth/password',
      {
        config: { errors: { 429: errorTexts.rateLimited(900) } },
        schema: {
          tags,
          summary: 'Mengubah password sendiri',
          description: 'Semua sesi lain dari akun ini berakhir seketika; sesi ini tetap.',
          body: changePasswordBody,
          response: { 200: changePasswordAnswer },
        },
      },
      async (request, reply) => {
        const source = { address: request.ip, signal: callerSignal(reply) };
        const deviceToken = await account.changePassword(requireCurrentUser(request), request.body, source);
        return presentSingle('Password berhasil diubah', { device_token: deviceToken });
      },
    );
    app.get(
      '/auth/sessions',
      { schema: { tags, summary: 'Sesi sendiri yang masih berlaku', response: { 200: ownSessionsAnswer } } },
      async (request) => {
        const currentUser = requireCurrentUser(request);
        const shown = account.listSessions(currentUser).map((row) => presentOwnSession(row, currentUser.sessionId));
        // One page holds them all: an account has few devices.
        return presentList('Daftar sesi', shown, shown.length, shown.length, 1);
      },
    );
    app.delete(
      '/auth/sessions',
      { schema: { tags, summary: 'Mengakhiri semua sesi lain', response: { 200: doneAnswer } } },
      async (request) => {
        await account.endOtherSessions(requireCurrentUser(request));
        return presentSingle('Semua sesi lain telah diakhiri', {});
      },
    );
    app.delete(
      '/auth/sessions/:id',
      { schema: { tags, summary: 'Mengakhiri satu sesi sendiri', params: idParams, response: { 200: doneAnswer } } },
      async (request) => {
        await account.endOwnSession(requireCurrentUser(request), request.params.id);
        return presentSingle('Sesi telah diakhiri', {});
      },
    );
  };
  return plugin;
}
