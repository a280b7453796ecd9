import type { SecondStepBody } from '#shared/api/second-factor.ts';
import type { SessionEntry } from '#shared/domain/users/security-events.ts';
import { SECOND_FACTOR_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { factorTexts } from '#shared/texts.ts';
import { createCardDevices } from '#server/accounts/cards/card-devices.ts';
import { findCardOf } from '#server/accounts/cards/card-queries.ts';
import { recoverPassword } from '#server/accounts/recovered-password.ts';
import { createFactorCheck, factorKey } from '#server/accounts/second-factor/factor-check.ts';
import * as queries from '#server/accounts/second-factor/factor-queries.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { Transaction } from '#server/db/engine.ts';
import { type AppError, invalid } from '#server/http/errors.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** The device and the address of the second step, and whether its caller still waits for the answer. */
export type StepClient = { userAgent: string | undefined; address: string; signal?: AbortSignal };
type OpenedSession = { token: string; replacedIds: string[] };
type SignedIn = { session: OpenedSession; user: UserRow; ticket: queries.TicketRow };
export type StepDeps = {
  sessions: {
    open: (tx: Transaction, userId: string, client: StepClient, entry: SessionEntry) => Promise<OpenedSession>;
    endReplaced: (entrance: { session: OpenedSession }) => void;
  };
  hashTicket: (ticket: string) => string;
  /** The token of a browser that has entered with the password. */
  issueDeviceToken: (user: UserRow, offered: string | undefined) => string;
};

export const wrongCode = (): AppError => invalid('code', factorTexts.wrong);

/** The second step of every way in (R-ACCESS-61 to R-ACCESS-64). */
export function createSecondStepService(context: ServiceContext, { sessions, hashTicket, issueDeviceToken }: StepDeps) {
  const { orm, write, wrongTries, now, operatingNow, publish } = context;
  const check = createFactorCheck(context);
  const cardDevices = createCardDevices(context);

  /** Stores what the way in brought along: the new password of a code of the office, the line of a card. */
  async function finishEntry(tx: Transaction, ticket: queries.TicketRow, user: UserRow): Promise<UserRow> {
    if (ticket.entry === 'card')
      await insertSecurityEvent(tx, { userId: user.id, event: 'card.used', how: null, by: user, at: now() });
    return ticket.passwordHash === null ? user : recoverPassword(context, tx, user, ticket.passwordHash);
  }

  /** @returns null for a wrong code @throws 422 for a ticket that has ended, which counts as no try */
  async function open(ticketHash: string, code: string, client: StepClient): Promise<SignedIn | null> {
    const { signal, ...clientInfo } = client;
    // Read again: the calls of an account wait for each other, and an earlier one may have used it.
    const ticket = await queries.findTicket(orm, ticketHash, operatingNow());
    if (!ticket) throw wrongCode();
    const { userId, entry } = ticket;
    const proof = await check.findProof(userId, code, { holder: addressKey(client.address), signal });
    if (!proof) return null;
    return write(async (tx) => {
      const user = await findUserById(tx, userId);
      // Triggers delete the ticket of an account that has changed meanwhile.
      if (!user?.isActive || !(await queries.takeTicket(tx, ticketHash))) throw wrongCode();
      if (!(await check.use(tx, userId, proof))) throw wrongCode();
      if (proof.kind === 'spare')
        await insertSecurityEvent(tx, { userId, event: 'second_factor.code_used', how: null, by: user, at: now() });
      const entered = await finishEntry(tx, ticket, user);
      return { session: await sessions.open(tx, userId, clientInfo, entry), user: entered, ticket };
    });
  }

  async function deviceTokenOf({ ticket, user }: SignedIn, offered: string | undefined): Promise<string> {
    const card = ticket.entry === 'card' ? await findCardOf(orm, user.id) : undefined;
    return card ? cardDevices.issue(card, offered) : issueDeviceToken(user, offered);
  }

  return {
    /**
     * Opens the session of a ticket.
     * @throws 422 for a wrong or used code, and for a ticket that is unknown, used or old; 429 under a lock of the account, 503
     */
    async finish(
      { ticket, code, device_token: offered }: SecondStepBody,
      client: StepClient,
    ): Promise<{ token: string; user: UserRow; deviceToken: string }> {
      const ticketHash = hashTicket(ticket);
      const found = await queries.findTicket(orm, ticketHash, operatingNow());
      if (!found) throw wrongCode();
      const signedIn = await wrongTries.run(
        factorKey(found.userId),
        SECOND_FACTOR_TRIES,
        () => open(ticketHash, code, client),
        (tx) => queries.countWrongOfTicket(tx, ticketHash),
      );
      if (!signedIn) throw wrongCode();
      sessions.endReplaced(signedIn);
      // A new password ended all sessions of before.
      if (signedIn.ticket.passwordHash !== null) publish.endUser(signedIn.user.id);
      const { session, user } = signedIn;
      return { token: session.token, user, deviceToken: await deviceTokenOf(signedIn, offered) };
    },
  };
}
