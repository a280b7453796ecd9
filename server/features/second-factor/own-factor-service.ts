import { randomInt } from 'node:crypto';
import type { EndFactorBody, StartedFactor, StartFactorBody } from '#shared/api/second-factor.ts';
import { formatCode, cleanCode, makeCode } from '#shared/domain/users/access-codes.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { SECOND_FACTOR_TRIES, SETUP_CODE_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { FACTOR_CODES } from '#shared/limits.ts';
import { factorTexts } from '#shared/texts.ts';
import { PROGRAM } from '#server/accounts/cards/card-keys.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import { DUMMY_HASH, hashPassword, verifyPassword } from '#server/accounts/passwords.ts';
import { isAdminAccount } from '#server/accounts/seasoned.ts';
import {
  beginningOf,
  createFactorCheck,
  createSecretSealing,
  factorKey,
} from '#server/accounts/second-factor/factor-check.ts';
import * as queries from '#server/accounts/second-factor/factor-queries.ts';
import { makeSecret, otpauthUrl } from '#server/accounts/second-factor/totp.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { deleteOtherSessions, findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { conflict, invalid, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { findOfficeName } from '#server/office/office-queries.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { wrongCode } from './second-step-service.ts';

export type OwnFactorDeps = { requireOwnPassword: RequireOwnPassword };

/** Ten codes whose first characters differ, so that each is found by them. */
function makeSpareCodes(): string[] {
  const codes = new Map<string, string>();
  while (codes.size < FACTOR_CODES) {
    const code = makeCode('spare', randomInt);
    codes.set(beginningOf(code), code);
  }
  return [...codes.values()];
}

/** The second factor of the own account: set-up, confirmation and end (R-ACCESS-60, R-ACCESS-65, R-ACCESS-70). */
export function createOwnFactorService(context: ServiceContext, { requireOwnPassword }: OwnFactorDeps) {
  const { audit, orm, policy, write, wrongTries, secret, now, operatingNow, publish, adminsNeedFactor } = context;
  const sealing = createSecretSealing(secret);
  const check = createFactorCheck(context);

  async function requireUser(db: ConnectionOrTransaction, { id }: CurrentUser): Promise<UserRow> {
    const user = await findUserById(db, id);
    if (!user) throw sessionEnded();
    return user;
  }

  /**
   * In an office that asks for a second factor, a password alone must not set one up: whoever stole it would come first.
   * @throws 422, 429, 503
   */
  async function requireSetupCode({ id }: CurrentUser, typed: string | undefined): Promise<void> {
    const code = cleanCode(typed ?? '');
    if (code === '') throw invalid('setup_code', factorTexts.setupCodeRequired);
    const row = await queries.findSetupCode(orm, id, operatingNow());
    const look = async (): Promise<true | null> =>
      (await verifyPassword(code, row?.codeHash ?? DUMMY_HASH, { holder: id })) && row ? true : null;
    if (!(await wrongTries.run(`setup ${id}`, SETUP_CODE_TRIES, look)))
      throw invalid('setup_code', factorTexts.setupCodeWrong);
  }

  const note = (tx: Transaction, user: UserRow, event: 'second_factor.on' | 'second_factor.off'): Promise<void> =>
    insertSecurityEvent(tx, { userId: user.id, event, how: null, by: user, at: now() });

  return {
    /**
     * Makes a secret that counts once a first code is right.
     * @throws 401, 403, 409 when the account has a second factor, 422, 429, 503
     */
    async start(currentUser: CurrentUser, body: StartFactorBody, source: PasswordSource): Promise<StartedFactor> {
      const user = await requireUser(orm, currentUser);
      if (await queries.findFactor(orm, user.id)) throw conflict(factorTexts.isOn);
      await requireOwnPassword(currentUser, body ?? {}, source);
      if (adminsNeedFactor && user.isAdmin) await requireSetupCode(currentUser, body?.setup_code);
      const made = makeSecret();
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const setup = { userId: user.id, secret: sealing.seal(made, user.id), madeAt: operatingNow() };
        if (!(await queries.storeFactorSetup(tx, setup))) throw conflict(factorTexts.isOn);
      });
      // The app shows it above the code.
      const issuer = `${PROGRAM.name} ${await findOfficeName(orm)}`.trim();
      return { secret: made, otpauth_url: otpauthUrl(made, { issuer, label: emailText(user.email) }) };
    },

    /**
     * Turns the second factor on with a first code. All other sessions of the account end: they came in without it.
     * @returns the spare codes, which are shown once
     * @throws 401, 403, 409 without a set-up of the last hour, 422 for a wrong code, 429, 503
     */
    async confirm(currentUser: CurrentUser, typed: string): Promise<string[]> {
      const { id } = currentUser;
      if (await queries.findFactor(orm, id)) throw conflict(factorTexts.isOn);
      const setup = await queries.findFactorSetup(orm, id, operatingNow());
      if (!setup) throw conflict(factorTexts.notStarted);
      const look = async (): Promise<number | null> => check.stepOf(setup, typed);
      const lastStep = await wrongTries.run(factorKey(id), SECOND_FACTOR_TRIES, look);
      if (lastStep === null) throw wrongCode();
      const codes = makeSpareCodes();
      const rows: queries.SpareCodeRow[] = [];
      for (const code of codes) {
        const codeHash = await hashPassword(code, { holder: id, isPreferred: true });
        rows.push({ userId: id, beginning: beginningOf(code), codeHash });
      }
      const ended = await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const user = await requireUser(tx, currentUser);
        if (!(await queries.confirmFactor(tx, setup, { confirmedAt: now(), lastStep })))
          throw conflict(factorTexts.notStarted);
        await queries.insertSpareCodes(tx, rows);
        await queries.deleteSetupCode(tx, id);
        await audit.accessChanged(tx, currentUser, user, { field: 'second_factor', from: false, to: true }, false);
        await note(tx, user, 'second_factor.on');
        return deleteOtherSessions(tx, id, currentUser.sessionId);
      });
      for (const sessionId of ended) publish.endSession(sessionId);
      return codes.map(formatCode);
    },

    /**
     * Turns it off, with the own password and a code.
     * @throws 401, 403, 409 when it is off, 422, 429, 503
     */
    async end(currentUser: CurrentUser, { code, ...ownSecret }: EndFactorBody, source: PasswordSource): Promise<void> {
      const { id } = currentUser;
      if (!(await queries.findFactor(orm, id))) throw conflict(factorTexts.isOff);
      await requireOwnPassword(currentUser, ownSecret, source);
      const waiting = { holder: addressKey(source.address), signal: source.signal };
      const look = async (): Promise<{ isAdmins: boolean } | null> => {
        const proof = await check.findProof(id, code, waiting);
        if (!proof) return null;
        return write(async (tx) => {
          await policy.requireLiveSession(tx, currentUser);
          const user = await requireUser(tx, currentUser);
          if (!(await check.use(tx, id, proof))) return null;
          await queries.deleteFactor(tx, id);
          const isAdmins = isAdminAccount(user, operatingNow());
          await audit.accessChanged(tx, currentUser, user, { field: 'second_factor', from: true, to: false }, isAdmins);
          await note(tx, user, 'second_factor.off');
          return { isAdmins };
        });
      };
      const ended = await wrongTries.run(factorKey(id), SECOND_FACTOR_TRIES, look);
      if (!ended) throw wrongCode();
      if (ended.isAdmins) publish.toAdmins('notice:new', { actor_id: id });
    },
  };
}
