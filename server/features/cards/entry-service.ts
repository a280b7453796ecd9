import type { ActivateCardBody, EnterByCardBody } from '#shared/api/cards.ts';
import { cleanCode } from '#shared/domain/users/access-codes.ts';
import { isSafePin } from '#shared/domain/users/pin.ts';
import { CARD_ADDRESS_TRIES, CARD_TRIES, type TriesState } from '#shared/domain/users/wrong-tries.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { CARD_ENTRIES_MAX, CARD_ENTRIES_WINDOW_MS } from '#shared/limits.ts';
import { cardTexts, errorTexts } from '#shared/texts.ts';
import { createCardCodes } from '#server/accounts/cards/card-codes.ts';
import { cardAddressKey, cardKey, PROGRAM, unknownCardKey } from '#server/accounts/cards/card-keys.ts';
import { createCardDevices } from '#server/accounts/cards/card-devices.ts';
import * as queries from '#server/accounts/cards/card-queries.ts';
import { isActivationOpen } from '#server/accounts/cards/card-state.ts';
import { DUMMY_HASH, hashPassword, verifyPassword } from '#server/accounts/passwords.ts';
import { deleteRequestsOf } from '#server/accounts/recovery-queries.ts';
import { createRemovalRule } from '#server/accounts/second-factor/factor-removal.ts';
import { insertSecurityEvent } from '#server/accounts/security-log-queries.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import type { Transaction } from '#server/db/engine.ts';
import { AppError, invalid } from '#server/http/errors.ts';
import { createKeyedQueue } from '#server/http/limits/rate-limit.ts';
import { createSharedRateLimit } from '#server/http/limits/shared-rate-limit.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** Activations of one card that may wait for each other. */
const WAITING_ACTIVATIONS_MAX = 50;

/** The device and the address of an entry, and whether its caller still waits for the answer. */
export type EntryClient = { userAgent: string | undefined; address: string; signal?: AbortSignal };
type OpenedSession = { token: string; replacedIds: string[] };
type Entrance = { session: OpenedSession; ticket?: never } | { ticket: string; session?: never };
type Opened = { entrance: Entrance; user: UserRow; card: queries.CardRow };
export type Entered = { token: string; user: UserRow; deviceToken: string } | { ticket: string };
export type EntryDeps = {
  sessions: {
    enter: (tx: Transaction, userId: string, client: EntryClient, entry: 'card') => Promise<Entrance>;
    endReplaced: (entrance: Entrance) => void;
  };
};

const wrongCard = (): AppError => new AppError(401, cardTexts.wrong);
const isBlocked = (): AppError => new AppError(403, cardTexts.blocked);
function locked(forMs: number): AppError {
  const seconds = Math.ceil(forMs / 1000);
  return new AppError(429, cardTexts.locked(Math.ceil(forMs / MINUTE_MS)), {
    headers: { 'retry-after': String(seconds) },
  });
}
/** Entering with a card, and activating one (R-ACCESS-41 to R-ACCESS-44). */
export function createCardEntryService(context: ServiceContext, { sessions }: EntryDeps) {
  const { orm, write, wrongTries, now, operatingNow, rateLimits, publish } = context;
  const codes = createCardCodes(context);
  const devices = createCardDevices(context);
  const removalRule = createRemovalRule(context);
  const enqueueActivation = createKeyedQueue(WAITING_ACTIVATIONS_MAX);
  const entries = createSharedRateLimit(context, 'card entries', CARD_ENTRIES_MAX, CARD_ENTRIES_WINDOW_MS);

  /** The try of a browser that is not known: also counted for its address. @throws 401, 429, 503 and what `look` throws */
  async function countForAddress<T>(address: string, look: () => Promise<T | null>): Promise<T> {
    const result = await wrongTries.attempt(cardAddressKey(addressKey(address)), CARD_ADDRESS_TRIES, look);
    if (result.kind === 'locked') throw locked(result.forMs);
    if (result.kind !== 'right') throw wrongCard();
    return result.found;
  }

  /**
   * The one place in which cards open sessions.
   * @throws 401 when the card has ended meanwhile, 403 for an inactive account or a card of R-ACCESS-68
   */
  async function open(
    tx: Transaction,
    { userId, lookup, pinHash }: Pick<queries.CardRow, 'userId' | 'lookup' | 'pinHash'>,
    { signal: _signal, ...client }: EntryClient,
    event: 'card.used' | 'card.activated',
  ): Promise<Opened> {
    const [user, card] = [await findUserById(tx, userId), await queries.findCardOf(tx, userId)];
    if (!user || card?.lookup !== lookup || card.pinHash !== pinHash) throw wrongCard();
    if (!user.isActive) throw new AppError(403, errorTexts.inactiveAccount);
    await removalRule.requireEntry(tx, userId, card.madeBy);
    const entrance = await sessions.enter(tx, userId, client, 'card');
    // A card enters with the second step, which writes its line then.
    if (entrance.session || event === 'card.activated')
      await insertSecurityEvent(tx, { userId, event, how: null, by: user, at: now() });
    return { entrance, user, card };
  }

  /** Runs after the commit. */
  function finish({ entrance, user, card }: Opened, offeredToken: string | undefined): Entered {
    sessions.endReplaced(entrance);
    if (!entrance.session) return { ticket: entrance.ticket };
    return { token: entrance.session.token, user, deviceToken: devices.issue(card, offeredToken) };
  }

  /** @returns null for a wrong activation */
  async function openWithActivation(
    { code, activation, pin }: ActivateCardBody,
    client: EntryClient,
  ): Promise<Opened | null> {
    const waiting = { holder: addressKey(client.address), signal: client.signal };
    const lookup = codes.lookupOf(code);
    const found = await queries.findCardByLookup(orm, lookup);
    const card = found && isActivationOpen(found, operatingNow()) ? found : undefined;
    const isRight = await verifyPassword(cleanCode(activation), card?.activationHash ?? DUMMY_HASH, waiting);
    if (!card || !isRight) {
      await write((tx) => queries.countWrongActivation(tx, lookup));
      return null;
    }
    // Only now: before, the answer would tell a stranger of the number of the account.
    const phone = (await findUserById(orm, card.userId))?.phone ?? null;
    if (!isSafePin(pin, phone === null ? [] : [phone])) throw invalid('pin', cardTexts.pinWeak);
    const pinHash = await hashPassword(codes.pinText(lookup, pin), waiting);
    return write(async (tx) => {
      if (!(await queries.takeActivation(tx, card, { pinHash, activatedAt: now() }))) return null;
      const opened = await open(tx, { ...card, pinHash }, client, 'card.activated');
      await deleteRequestsOf(tx, opened.user);
      return opened;
    });
  }

  return {
    isInUse: (): Promise<boolean> => queries.hasCards(orm),

    /**
     * An unknown code is counted and checked as a known one: the same statements, one hash, the same answers.
     * @throws 401 for a wrong code or PIN, 403 for a blocked card and an inactive account, 429 under a lock, 503
     */
    async enter({ code, pin, device_token: deviceToken }: EnterByCardBody, client: EntryClient): Promise<Entered> {
      const lookup = codes.lookupOf(code);
      const card = await queries.findCardByLookup(orm, lookup);
      const deviceId = devices.read(deviceToken, card);
      const waiting = { holder: addressKey(client.address), signal: client.signal, isPreferred: deviceId !== null };
      const key = card ? cardKey(lookup, deviceId) : unknownCardKey(lookup);

      const look = async (): Promise<queries.CardRow | null> => {
        const isRight = await verifyPassword(codes.pinText(lookup, pin), card?.pinHash ?? DUMMY_HASH, waiting);
        return card && isRight ? card : null;
      };
      const onWrong = async (tx: Transaction, { kind }: TriesState): Promise<void> => {
        await queries.forgetUnknownTries(tx);
        if (kind === 'closed' && deviceId === null) await queries.insertBlockedEvent(tx, lookup, PROGRAM, now());
      };
      const tryPin = async (): Promise<queries.CardRow | null> => {
        const result = await wrongTries.attempt(key, CARD_TRIES, look, onWrong);
        if (result.kind === 'locked') throw locked(result.forMs);
        if (result.kind === 'closed') throw isBlocked();
        return result.kind === 'right' ? result.found : null;
      };

      const right = deviceId === null ? await countForAddress(client.address, tryPin) : await tryPin();
      if (!right) throw wrongCard();
      // Each entry is a line of the own log, which nobody can delete.
      if (rateLimits) {
        entries.check(right.userId);
        entries.count(right.userId);
      }
      return finish(await write((tx) => open(tx, right, client, 'card.used')), deviceToken);
    },

    /**
     * Chooses the PIN of a new card and enters. The activation works once.
     * @throws 401 when it is wrong, used or old, or dead after ten wrong ones, 403, 422 for a PIN that is easy to guess, 429, 503
     */
    async activate(body: ActivateCardBody, client: EntryClient): Promise<Entered> {
      const look = () => enqueueActivation(codes.lookupOf(body.code), () => openWithActivation(body, client));
      const opened = await countForAddress(client.address, look);
      publish.toAdmins('recovery:changed', {});
      return finish(opened, undefined);
    },
  };
}
