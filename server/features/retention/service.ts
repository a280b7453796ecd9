import { MINUTE_MS } from '#shared/durations.ts';
import { formatDate } from '#shared/domain/dates/date-labels.ts';
import type { Retention, RetentionBody } from '#shared/api/retention.ts';
import { noticeTexts } from '#shared/api/notices.ts';
import { RETENTION_CHOICES } from '#shared/limits.ts';
import { retentionTexts } from '#shared/texts.ts';
import type { PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import { createSeasoning } from '#server/accounts/seasoned.ts';
import type { QueryCaller } from '#server/db/query-worker.ts';
import type { Transaction } from '#server/db/engine.ts';
import { notFound } from '#server/http/errors.ts';
import { readNewestMessageId } from '#server/messages/message-index-queries.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { announcedLeftMs, believedNow, monthsMs, whileOn } from './ages.ts';
import * as queries from './queries.ts';
import type { CountedStep, RetentionRow } from './queries.ts';

export type RetentionDeps = {
  requireOwnPassword: RequireOwnPassword;
  /** So long, at most, archives hold what was deleted. */
  archiveMonths: number;
};

type Terms = Pick<RetentionRow, 'messagesMonths' | 'accountsMonths'>;
const FOR_EVER: Terms = { messagesMonths: 0, accountsMonths: 0 };

type CountedTerm = { months: number; beforeMs: number };

/** One step of the counts looks at so many accounts: some tens of milliseconds. */
const ACCOUNTS_COUNTED = 5000;
/** They are about right in any case. */
const COUNTS_KEPT_MS = 10 * MINUTE_MS;

/** As in the notices of admins. */
const noticeIdOf = ({ announcement }: RetentionRow): string => `r${announcement}`;

/** Whether a term became shorter: then the deletion is announced anew. */
const isLower = (before: number, after: number): boolean => after > 0 && (before === 0 || after < before);

const auditedTerms = ({ messagesMonths, accountsMonths }: Terms) => ({
  messages_months: messagesMonths,
  inactive_accounts_months: accountsMonths,
});

/** The time for which the office keeps messages and unused accounts (R-ACCESS-91, R-ACCESS-92). */
export function createRetentionService(context: ServiceContext, { requireOwnPassword, archiveMonths }: RetentionDeps) {
  const { audit, orm, policy, publish, queryWorker, write, now, operatingNow, earliestNow, timeZone } = context;
  const seasoning = createSeasoning(context);

  /** By the clock of the computer, in epoch milliseconds. */
  const startsAt = (row: RetentionRow): number => now() + announcedLeftMs(row, operatingNow());

  /** The row after an admin has set these terms. */
  async function plan(
    tx: Transaction,
    before: RetentionRow | undefined,
    terms: Terms,
    by: CurrentUser,
  ): Promise<RetentionRow> {
    const operating = operatingNow();
    const isAnnounced =
      isLower(before?.messagesMonths ?? 0, terms.messagesMonths) ||
      isLower(before?.accountsMonths ?? 0, terms.accountsMonths);
    const announced = {
      announcement: (before?.announcement ?? 0) + 1,
      announcedAt: now(),
      announcedById: by.id,
      announcedByName: by.name,
      announcedOperating: operating,
    };
    const anchored = {
      series: (before?.series ?? 0) + 1,
      anchorAt: earliestNow(),
      anchorOperating: operating,
      anchorMessageId: await readNewestMessageId(tx),
      // The first look at the accounts comes at once.
      lastRunOperating: 0,
    };
    const first: RetentionRow = {
      id: 1,
      ...FOR_EVER,
      ...announced,
      ...anchored,
      messagesUpToId: 0,
      runMessages: 0,
      runAccounts: 0,
      lastAt: null,
      lastMessages: 0,
      lastAccounts: 0,
    };
    return {
      ...(before ?? first),
      ...(isAnnounced ? announced : {}),
      ...(whileOn(before) ? {} : anchored),
      ...terms,
    };
  }

  async function store(tx: Transaction, currentUser: CurrentUser, terms: Terms): Promise<boolean> {
    const before = await queries.findRetention(tx);
    const { messagesMonths, accountsMonths } = before ?? FOR_EVER;
    if (messagesMonths === terms.messagesMonths && accountsMonths === terms.accountsMonths) return false;
    const after = await plan(tx, before, terms, currentUser);
    if (after.series !== before?.series) {
      await queries.deleteMarks(tx);
      if (after.anchorMessageId > 0) await queries.addMark(tx, after.anchorMessageId, after.anchorOperating);
    }
    await queries.saveRetention(tx, after);
    await audit.retentionChanged(tx, currentUser, auditedTerms(before ?? FOR_EVER), auditedTerms(after));
    return true;
  }

  const publishChange = (currentUser: CurrentUser): void =>
    publish.toAdmins('notice:new', { actor_id: currentUser.id });

  /** Counts of many accounts; those of few are counted each time. */
  let kept: { key: string; untilMs: number; older: Retention['older'] } | null = null;
  let running: { key: string; older: Promise<Retention['older']> } | null = null;

  /** Goes on when its caller has hung up, so that the next one finds what was counted. */
  function count(terms: readonly CountedTerm[], { account }: QueryCaller): Promise<Retention['older']> {
    const key = JSON.stringify(terms.map(({ months }) => months));
    if (kept?.key === key && kept.untilMs > performance.now()) return Promise.resolve(kept.older);
    if (running?.key === key) return running.older;
    const older = countInSteps(terms, account, key);
    const begun = { key, older };
    running = begun;
    const end = (): void => {
      if (running === begun) running = null;
    };
    older.then(end, end);
    return older;
  }

  async function countInSteps(
    terms: readonly CountedTerm[],
    account: string,
    key: string,
  ): Promise<Retention['older']> {
    const operating = operatingNow();
    let older = terms.map(({ months }) => ({ months, messages: 0, accounts: 0 }));
    let steps = 0;
    for (let afterId: string | null = ''; afterId !== null; steps += 1) {
      const request = { terms, operating, afterId, limit: ACCOUNTS_COUNTED };
      const step: CountedStep = await queryWorker.run('retention', request, { account, isSlow: true });
      older = older.map(({ months, messages, accounts }, index) => ({
        months,
        messages: messages + (step.older[index]?.messages ?? 0),
        accounts: accounts + (step.older[index]?.accounts ?? 0),
      }));
      afterId = step.lastId;
    }
    kept = steps > 1 ? { key, untilMs: performance.now() + COUNTS_KEPT_MS, older } : null;
    return older;
  }

  /** @param caller waits for the counts, which read every conversation */
  async function read(caller: QueryCaller): Promise<Retention> {
    const row = await queries.findRetention(orm);
    const set = whileOn(row);
    const own = set ? [set.messagesMonths, set.accountsMonths].filter((months) => months > 0) : [];
    const nowMs = set ? believedNow(set, context) : earliestNow();
    const terms = [...new Set([...RETENTION_CHOICES, ...own])]
      .toSorted((a, b) => a - b)
      .map((months) => ({ months, beforeMs: nowMs - monthsMs(months) }));
    const older = await count(terms, caller);
    return {
      messages_months: row?.messagesMonths ?? 0,
      inactive_accounts_months: row?.accountsMonths ?? 0,
      announced_at: set && new Date(set.announcedAt).toISOString(),
      announced_by: set && set.announcedByName,
      notice_id: set && noticeIdOf(set),
      starts_at: set && new Date(startsAt(set)).toISOString(),
      has_started: set !== null && announcedLeftMs(set, operatingNow()) <= 0,
      older,
      last_run:
        row && row.lastAt !== null
          ? { at: new Date(row.lastAt).toISOString(), messages: row.lastMessages, accounts: row.lastAccounts }
          : null,
      archive_months: archiveMonths,
    };
  }

  return {
    read,

    /** @throws 401, 403 for an admin of less than 24 hours, 422 without the right password, 429, 503 */
    async save(
      currentUser: CurrentUser,
      { messages_months, inactive_accounts_months, device_token: deviceToken, ...secret }: RetentionBody,
      source: Omit<PasswordSource, 'deviceToken'>,
    ): Promise<void> {
      await seasoning.require(currentUser);
      await requireOwnPassword(currentUser, secret, { ...source, deviceToken });
      const terms: Terms = { messagesMonths: messages_months, accountsMonths: inactive_accounts_months };
      const hasChanged = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        return store(tx, currentUser, terms);
      });
      if (hasChanged) publishChange(currentUser);
    },

    /** The announcement as a line above the pages of every admin, until the first deletion; else null. */
    async findNotice() {
      const row = whileOn(await queries.findRetention(orm));
      if (!row || announcedLeftMs(row, operatingNow()) <= 0) return null;
      const { announcedAt, announcedById: id, announcedByName: name } = row;
      const deleted = retentionTexts.deleted({ messages: row.messagesMonths, accounts: row.accountsMonths }) ?? '';
      const date = formatDate(new Date(startsAt(row)).toISOString(), timeZone);
      return {
        id: noticeIdOf(row),
        by: { id, name },
        text: `Mulai ${date} dihapus dari server: ${deleted}. Diatur ${name}.`,
        announcedAt,
      };
    },

    /** Keeps everything for ever again; any admin may. @throws 401, 403, 404 when another announcement holds, or none */
    async stop(currentUser: CurrentUser, announcement: number): Promise<void> {
      await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const row = whileOn(await queries.findRetention(tx));
        if (row?.announcement !== announcement) throw notFound(noticeTexts.missing);
        await store(tx, currentUser, FOR_EVER);
      });
      publishChange(currentUser);
    },
  };
}
