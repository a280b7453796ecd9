import { v7 as newId } from 'uuid';
import type { AskRecoveryBody, CompleteRecoveryBody } from '#shared/api/auth.ts';
import { cleanCode } from '#shared/domain/users/access-codes.ts';
import { type Identifier, readIdentifier } from '#shared/domain/users/identifier.ts';
import { RECOVERY_CODE_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { RECOVERY_ASKS_MAX, RECOVERY_ASKS_OF_ADDRESS_MAX, RECOVERY_ASKS_WINDOW_MS } from '#shared/limits.ts';
import { accessTexts } from '#shared/texts.ts';
import { DUMMY_HASH, hashPassword, verifyPassword } from '#server/accounts/passwords.ts';
import { createCardCodes } from '#server/accounts/cards/card-codes.ts';
import { createCodeSelectors } from '#server/accounts/recovery-codes.ts';
import * as recovery from '#server/accounts/recovery-queries.ts';
import { recoverPassword } from '#server/accounts/recovered-password.ts';
import { findFactor } from '#server/accounts/second-factor/factor-queries.ts';
import { createRemovalRule } from '#server/accounts/second-factor/factor-removal.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import { invalid } from '#server/http/errors.ts';
import { createSharedRateLimit } from '#server/http/limits/shared-rate-limit.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { SignInClient } from './service.ts';
import type { Entrance, Sessions } from './sessions.ts';

export type Recovered = { entrance: Entrance; user: UserRow };

const invalidCode = () => invalid('code', accessTexts.codeInvalid);

/** The way back in with a code of the office (R-ACCESS-12 to R-ACCESS-16). */
export function createRecoveryService(context: ServiceContext, sessions: Sessions) {
  const { orm, write, wrongTries, now, operatingNow, publish, rateLimits } = context;
  const limit = (name: string, max: number) => createSharedRateLimit(context, name, max, RECOVERY_ASKS_WINDOW_MS);
  const asks = limit('recovery asks', RECOVERY_ASKS_MAX);
  const asksOfAddress = limit('recovery asks of an address', RECOVERY_ASKS_OF_ADDRESS_MAX);
  const removalRule = createRemovalRule(context);
  const { lookupOf } = createCardCodes(context);
  const { selectorOf } = createCodeSelectors(context);

  function countAsk({ kind, value }: Identifier, address: string): void {
    if (!rateLimits) return;
    const [identifierKey, network] = [`${kind} ${value}`, addressKey(address)];
    asksOfAddress.check(network);
    asks.check(identifierKey);
    asksOfAddress.count(network);
    asks.count(identifierKey);
  }

  /** @returns the account whose code it is; null when the code is wrong, used, ended or old */
  async function openWithCode(
    { code, password }: CompleteRecoveryBody,
    { signal, ...client }: SignInClient,
  ): Promise<Recovered | null> {
    const waiting = { holder: addressKey(client.address), signal };
    const row = await recovery.findOpenCode(orm, selectorOf(code), operatingNow());
    // One hash for every code, so that the time says nothing about which ones exist.
    const isRight = await verifyPassword(cleanCode(code), row?.codeHash ?? DUMMY_HASH, waiting);
    if (!row || !isRight) return null;
    const passwordHash = await hashPassword(password, waiting);
    return write(async (tx) => {
      const user = await findUserById(tx, row.userId);
      // Of many callers with one code the first one takes it; the triggers on users take those that have ended.
      if (!user?.isActive || !(await recovery.takeCode(tx, row))) return null;
      await removalRule.requireEntry(tx, user.id, row.madeBy);
      await recovery.deleteRequestsOf(tx, user);
      const used = { userId: user.id, by: user, at: now(), event: 'recovery_code.used', how: row.checked } as const;
      await insertSecurityEvent(tx, used);
      // With a second factor, a code of the office alone must not change the password either.
      if (await findFactor(tx, user.id))
        return { entrance: await sessions.enter(tx, user.id, client, 'code', passwordHash), user };
      const recovered = await recoverPassword(context, tx, user, passwordHash);
      return { entrance: await sessions.enter(tx, user.id, client, 'code'), user: recovered };
    });
  }

  return {
    /**
     * Stores that somebody asks for a way back in. An unknown identifier takes the same statements and the same writes: its row is
     * one for all of them, which the office does not see.
     * @throws 429 after too many of one identifier or address
     */
    async ask({ identifier: typed }: AskRecoveryBody, address: string): Promise<void> {
      const identifier = readIdentifier(typed);
      countAsk(identifier, address);
      const lookup = lookupOf(identifier.value);
      const isKnown = await write(async (tx) => {
        const accounts = await recovery.findAccountsOf(tx, identifier, operatingNow(), lookup);
        const single = accounts.length === 1 ? accounts[0] : undefined;
        const phone = accounts.length > 1 ? identifier.value : null;
        const at = now();
        await recovery.storeRequest(tx, {
          id: newId(),
          subject: single ? recovery.subjectOf(single.id) : phone === null ? 'unknown' : `phone ${phone}`,
          userId: single?.id ?? null,
          phone,
          kind: identifier.kind,
          createdAt: at,
          lastSeenAt: at,
          askedAt: operatingNow(),
        });
        return accounts.length > 0;
      });
      if (isKnown) publish.toAdmins('recovery:changed', {});
    },

    /**
     * Opens an account with a code and a new password. All other sessions of the account end.
     * @throws 403 for a code of R-ACCESS-68, 422 for one that opens nothing, 429 after ten of them from one address, 503 while too many others wait
     */
    async complete(body: CompleteRecoveryBody, client: SignInClient): Promise<Recovered> {
      const key = `recovery ${addressKey(client.address)}`;
      const recovered = await wrongTries.run(key, RECOVERY_CODE_TRIES, () => openWithCode(body, client));
      if (!recovered) throw invalidCode();
      if (recovered.entrance.session) publish.endUser(recovered.user.id);
      publish.toAdmins('recovery:changed', {});
      return recovered;
    },
  };
}
export type RecoveryService = ReturnType<typeof createRecoveryService>;
