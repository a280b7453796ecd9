import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnSession } from '#shared/api/auth.ts';
import type { authCalls } from '#shared/api/calls/auth.ts';
import { accessTexts } from '#shared/texts.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentIds, presentList, presentSingle, presentTicket, presentUser } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { ListedSession } from './account-queries.ts';
import type { AccountService } from './account-service.ts';
import type { OwnLogService } from './own-log-service.ts';
import type { RecoveryService } from './recovery-service.ts';
import type { AuthService, EntranceResult, SignInClient, SignInResult } from './service.ts';
import type { Sessions } from './sessions.ts';

type Received = { request: FastifyRequest; reply: FastifyReply };

function clientOf({ request, reply }: Received): SignInClient {
  return { userAgent: request.headers['user-agent'], address: request.ip, signal: callerSignal(reply) };
}

function presentSession(message: string, { token, user, deviceToken }: SignInResult) {
  return presentSingle(message, { token, user: presentUser(user), device_token: deviceToken });
}

const presentEntrance = (result: EntranceResult) =>
  'ticket' in result ? presentTicket(result.ticket) : presentSession('Login berhasil', result);

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
    entry: row.entry,
  };
}

type Services = {
  recovery: RecoveryService;
  auth: AuthService;
  account: AccountService;
  ownLog: OwnLogService;
  sessions: Sessions;
};

export function authRoutes({ auth, account, ownLog, recovery, sessions }: Services): Handlers<typeof authCalls> {
  return {
    'POST /auth/login': async (received) => presentEntrance(await auth.login(received.body, clientOf(received))),
    'POST /auth/register': async (received) =>
      presentSession('Registrasi berhasil', await auth.register(received.body, clientOf(received))),
    'POST /auth/logout': async ({ currentUser }) => {
      await sessions.close(currentUser.sessionId);
      return presentSingle('Logout berhasil', {});
    },
    'GET /auth/user': async ({ currentUser }) =>
      presentSingle('Data user', await auth.presentOwn(await auth.requireUser(currentUser.id))),
    'GET /auth/admin-contact': async () => {
      const { id, name } = await auth.requireContactAdmin();
      return presentSingle('Kontak administrator', { ...presentIds(id), name });
    },
    'POST /auth/recovery': async ({ body, request }) => {
      await recovery.ask(body, request.ip);
      return presentSingle(accessTexts.asked, {});
    },
    'POST /auth/recovery/complete': async (received) =>
      presentEntrance(auth.finishEntrance(await recovery.complete(received.body, clientOf(received)))),
    'PUT /auth/user': async ({ currentUser, body, request, reply }) => {
      const source = { address: request.ip, signal: callerSignal(reply) };
      const changed = await account.changeOwn(currentUser, body, source);
      return presentSingle('Profil berhasil diperbarui', await auth.presentOwn(changed));
    },
    'PUT /auth/password': async ({ currentUser, body, request, reply }) => {
      const source = { address: request.ip, signal: callerSignal(reply) };
      const deviceToken = await account.changePassword(currentUser, body, source);
      return presentSingle('Password berhasil diubah', { device_token: deviceToken });
    },
    'GET /auth/sessions': async ({ currentUser }) => {
      const shown = (await account.listSessions(currentUser)).map((row) =>
        presentOwnSession(row, currentUser.sessionId),
      );
      // One page holds them all: an account has few devices.
      return presentList('Daftar sesi', shown, shown.length, shown.length, 1);
    },
    'DELETE /auth/sessions': async ({ currentUser }) => {
      await account.endOtherSessions(currentUser);
      return presentSingle('Semua sesi lain telah diakhiri', {});
    },
    'DELETE /auth/sessions/{id}': async ({ currentUser, params }) => {
      await account.endOwnSession(currentUser, params.id);
      return presentSingle('Sesi telah diakhiri', {});
    },
    'GET /auth/security-log': async ({ currentUser }) =>
      presentSingle('Catatan keamanan', await ownLog.listEntries(currentUser)),
    'GET /auth/notices': async ({ currentUser }) =>
      presentSingle('Pemberitahuan akun', await ownLog.listNotices(currentUser)),
    'POST /auth/notices/{id}/seen': async ({ currentUser, params }) => {
      await ownLog.markSeen(currentUser, params.id);
      return presentSingle('Pemberitahuan disingkirkan', {});
    },
  };
}
