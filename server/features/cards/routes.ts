import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cardCalls } from '#shared/api/calls/cards.ts';
import { presentAdminAccount } from '#server/accounts/cards/present-admin-account.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentSingle, presentTicket, presentUser } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { type AssistedDeps, createAssistedService } from './assisted-service.ts';
import { type CardDeps, createCardService } from './card-service.ts';
import { createCardEntryService, type Entered, type EntryClient, type EntryDeps } from './entry-service.ts';

/** Adds cards, and the accounts of people without an e-mail address. */
export function registerCards<Change>(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & CardDeps & EntryDeps & AssistedDeps<Change>,
): void {
  const cards = createCardService(context, deps);
  const entry = createCardEntryService(context, deps);
  const assisted = createAssistedService(context, deps);
  serveCalls(app, guards, cardCalls, {
    'GET /auth/card': async () => presentSingle('Kartu warga', { in_use: await entry.isInUse() }),
    'POST /auth/card': async (received) => presentEntered(await entry.enter(received.body, clientOf(received))),
    'POST /auth/card/activate': async (received) =>
      presentEntered(await entry.activate(received.body, clientOf(received))),
    'POST /admin/users/assisted': async ({ currentUser, body }) =>
      presentSingle(
        'User berhasil dibuat',
        await presentAdminAccount(context, await assisted.create(currentUser, body)),
      ),
    'POST /admin/users/{id}/card': async ({ currentUser, params, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
      const made = await cards.make(currentUser, params.id, { password: body?.current_password, source });
      return presentSingle('Kartu dibuat', made);
    },
    'DELETE /admin/users/{id}/card': async ({ currentUser, params }) => {
      await cards.end(currentUser, params.id);
      return presentSingle('Kartu dicabut', {});
    },
  });
}

function clientOf({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): EntryClient {
  return { userAgent: request.headers['user-agent'], address: request.ip, signal: callerSignal(reply) };
}

const presentEntered = (entered: Entered) =>
  'ticket' in entered
    ? presentTicket(entered.ticket)
    : presentSingle('Login berhasil', {
        token: entered.token,
        user: presentUser(entered.user),
        device_token: entered.deviceToken,
      });
