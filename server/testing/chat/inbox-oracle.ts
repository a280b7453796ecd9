import { CLAIM_ABSENCE_MS, CLAIM_IDLE_MS, CLAIM_WAIT_MS } from '#shared/limits.ts';
import type { SignedInUser } from '#server/testing/factories.ts';
import type { TestClock } from '#server/testing/test-app.ts';

type Fact = { order: number; wallMs: number; monotonicMs: number };
type OracleMessage = Fact & { id: number; senderId: string; fromAdmin: boolean; isNotice: boolean };
type Claim = Fact & { holder: SignedInUser };
type Conversation = {
  messages: OracleMessage[];
  dismissedId: number;
  dismissedBefore: number;
  snoozedUntil: number | null;
  claim: Claim | null;
};

const chatOf = ({ messages }: Conversation): OracleMessage[] => messages.filter(({ isNotice }) => !isNotice);

/** The expected answer of a call. */
export type Expected = { status: number; message?: string };
const done: Expected = { status: 200 };
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The rules R-INBOX-1, R-INBOX-2 and R-INBOX-4 to R-INBOX-10 as simply as possible: the whole history, read anew each time. */
export class InboxOracle {
  private order = 0;
  private readonly conversations: Map<string, Conversation>;
  private readonly absentSince = new Map<string, number | null>();
  private readonly clock: TestClock;

  constructor(clock: TestClock, users: SignedInUser[], admins: SignedInUser[]) {
    this.clock = clock;
    this.conversations = new Map(
      users.map(({ id }) => [
        id,
        { messages: [], dismissedId: 0, dismissedBefore: 0, snoozedUntil: null, claim: null },
      ]),
    );
    for (const { id } of admins) this.absentSince.set(id, clock.monotonicNow());
  }

  /** The history that is left: a deletion takes everything before it. */
  of(user: { id: string }): Conversation {
    const found = this.conversations.get(user.id);
    if (!found) throw new Error(`no conversation of ${user.id}`);
    return found;
  }

  newestId = (user: { id: string }): number => this.of(user).messages.at(-1)?.id ?? 0;
  /** Notices are neither questions nor answers. */
  newestChatId = (user: { id: string }): number => chatOf(this.of(user)).at(-1)?.id ?? 0;

  /** An admin who has not seen the newest notices has still seen every message that may need an answer. */
  private isNewest = (user: { id: string }, upTo: number): boolean =>
    upTo >= this.newestChatId(user) && upTo <= this.newestId(user);

  private fact(): Fact {
    this.order += 1;
    return { order: this.order, wallMs: this.clock.now(), monotonicMs: this.clock.monotonicNow() };
  }

  connect(admin: SignedInUser): void {
    this.absentSince.set(admin.id, null);
  }

  disconnect(admin: SignedInUser): void {
    this.absentSince.set(admin.id, this.clock.monotonicNow());
  }

  /** After a restart only the clock of the computer tells how long ago something was, and in which order. */
  restart(): void {
    const at = { wallMs: this.clock.now(), monotonicMs: this.clock.monotonicNow() };
    for (const id of this.absentSince.keys()) this.absentSince.set(id, at.monotonicMs);
    for (const { messages, claim } of this.conversations.values()) {
      for (const fact of [...messages, ...(claim ? [claim] : [])]) {
        fact.order = fact.wallMs - Number.MAX_SAFE_INTEGER;
        fact.monotonicMs = at.monotonicMs - Math.max(0, at.wallMs - fact.wallMs);
      }
    }
  }

  /** Ends what is due: time has passed, a clock was set, or a wait came back. */
  look(): void {
    for (const conversation of this.conversations.values()) {
      const { claim, snoozedUntil } = conversation;
      if (claim && this.hasEnded(conversation, claim)) conversation.claim = null;
      if (snoozedUntil !== null && snoozedUntil <= this.clock.now()) conversation.snoozedUntil = null;
    }
  }

  private hasEnded(conversation: Conversation, claim: Claim): boolean {
    const [wallMs, monotonicMs] = [this.clock.now(), this.clock.monotonicNow()];
    const isOver = (limitMs: number, ...facts: (Fact | undefined)[]): boolean => {
      const latest = facts.filter((fact) => fact !== undefined).toSorted((a, b) => b.order - a.order)[0] ?? claim;
      return wallMs - latest.wallMs >= limitMs || monotonicMs - latest.monotonicMs >= limitMs;
    };
    const absent = this.absentSince.get(claim.holder.id) ?? null;
    if (absent !== null && monotonicMs - Math.max(absent, claim.monotonicMs) >= CLAIM_ABSENCE_MS) return true;
    if (isOver(CLAIM_IDLE_MS, claim, chatOf(conversation).at(-1))) return true;
    const isSnoozed = conversation.snoozedUntil !== null && conversation.snoozedUntil > wallMs;
    const [firstWaiting] = this.waitingMessages(conversation);
    return firstWaiting !== undefined && !isSnoozed && isOver(CLAIM_WAIT_MS, claim, firstWaiting);
  }

  private waitingMessages(conversation: Conversation): OracleMessage[] {
    const { dismissedId } = conversation;
    const messages = chatOf(conversation);
    return messages
      .slice(messages.findLastIndex(({ fromAdmin }) => fromAdmin) + 1)
      .filter(({ id }) => id > dismissedId);
  }

  /** As in the answers and events. */
  stateOf(user: { id: string }) {
    const conversation = this.of(user);
    const { snoozedUntil, claim } = conversation;
    const [firstWaiting] = this.waitingMessages(conversation);
    const state =
      snoozedUntil === null ? (firstWaiting ? ('waiting' as const) : ('done' as const)) : ('snoozed' as const);
    return {
      user_id: user.id,
      state,
      claimed_by: claim && { id: claim.holder.id, name: claim.holder.name },
      snoozed_until: iso(snoozedUntil),
      unanswered_since: iso(firstWaiting?.wallMs ?? null),
    };
  }

  countsFor(admin: SignedInUser) {
    const states = Array.from(this.conversations.keys(), (id) => this.stateOf({ id }));
    return {
      waiting: states.filter(({ state }) => state === 'waiting').length,
      snoozed: states.filter(({ state }) => state === 'snoozed').length,
      mine: states.filter(({ claimed_by }) => claimed_by?.id === admin.id).length,
    };
  }

  /** The users who wait, the longest wait first. */
  waiting(): string[] {
    return Array.from(this.conversations.keys(), (id) => this.stateOf({ id }))
      .filter(({ state }) => state === 'waiting')
      .toSorted((a, b) => (`${a.unanswered_since} ${a.user_id}` < `${b.unanswered_since} ${b.user_id}` ? -1 : 1))
      .map(({ user_id }) => user_id);
  }

  message(user: SignedInUser, id: number): void {
    const conversation = this.of(user);
    conversation.messages.push({ ...this.fact(), id, senderId: user.id, fromAdmin: false, isNotice: false });
    conversation.snoozedUntil = null;
  }

  notice(actor: SignedInUser, user: SignedInUser, id: number): void {
    const { id: senderId, isAdmin: fromAdmin } = actor;
    this.of(user).messages.push({ ...this.fact(), id, senderId, fromAdmin, isNotice: true });
  }

  /** @param seenId undefined: the admin sends without it */
  expectAnswer(admin: SignedInUser, user: SignedInUser, seenId: number | undefined): Expected {
    const other = chatOf(this.of(user)).findLast(
      ({ id, fromAdmin, senderId }) => fromAdmin && senderId !== admin.id && seenId !== undefined && id > seenId,
    );
    return other ? { status: 409 } : { status: 201 };
  }

  answer(admin: SignedInUser, user: SignedInUser, id: number): void {
    const conversation = this.of(user);
    conversation.messages.push({ ...this.fact(), id, senderId: admin.id, fromAdmin: true, isNotice: false });
    conversation.claim ??= { ...this.fact(), holder: admin };
  }

  claim(admin: SignedInUser, user: SignedInUser, take: boolean): Expected {
    const conversation = this.of(user);
    const holder = conversation.claim?.holder;
    if (holder?.id === admin.id) return done;
    if (holder && !take) return { status: 409, message: `Sedang ditangani ${holder.name}` };
    conversation.claim = { ...this.fact(), holder: admin };
    return done;
  }

  release(admin: SignedInUser, user: SignedInUser): Expected {
    const conversation = this.of(user);
    const holder = conversation.claim?.holder;
    if (holder && holder.id !== admin.id) return { status: 409, message: `Sedang ditangani ${holder.name}` };
    conversation.claim = null;
    return done;
  }

  dismiss(admin: SignedInUser, user: SignedInUser, upTo: number): Expected {
    const conversation = this.of(user);
    if (!this.isNewest(user, upTo)) return { status: 409, message: 'Ada pesan baru' };
    if (conversation.claim?.holder.id === admin.id) conversation.claim = null;
    const dismissedId = this.newestChatId(user);
    if (conversation.dismissedId !== dismissedId) conversation.dismissedBefore = conversation.dismissedId;
    conversation.dismissedId = dismissedId;
    return done;
  }

  undoDismiss(user: SignedInUser): Expected {
    const conversation = this.of(user);
    conversation.dismissedId = conversation.dismissedBefore;
    return done;
  }

  snooze(user: SignedInUser, untilMs: number, upTo: number): Expected {
    if (!this.isNewest(user, upTo)) return { status: 409, message: 'Ada pesan baru' };
    this.of(user).snoozedUntil = untilMs;
    return done;
  }

  undoSnooze(user: SignedInUser): Expected {
    this.of(user).snoozedUntil = null;
    return done;
  }

  clear(user: SignedInUser): void {
    Object.assign(this.of(user), { messages: [], dismissedId: 0, dismissedBefore: 0, snoozedUntil: null, claim: null });
  }
}
