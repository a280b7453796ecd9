import { setImmediate as nextTurn } from 'node:timers/promises';
import { RETENTION_ACTOR, type Actor } from '#server/audit/audit-log.ts';
import type { Transaction } from '#server/db/engine.ts';
import { readNewestMessageId } from '#server/messages/message-index-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { announcedLeftMs, believedNow, isNight, isRunDue, isUnused, monthsMs, whileOn } from './ages.ts';
import * as queries from './queries.ts';
import type { AccountUse, RetentionRow } from './queries.ts';

export type NightRunDeps = {
  /** Deletes the messages of all conversations up to one. @returns whether it came to the end */
  clearOlder: (
    upToId: number,
    hooks: {
      isAllowed: (tx: Transaction) => Promise<boolean>;
      count: (tx: Transaction, messages: number) => Promise<void>;
    },
    mayContinue: () => boolean,
  ) => Promise<boolean>;
  /** Deletes an account; `isAllowed` is asked inside the transaction. */
  removeUnused: (
    actor: Actor,
    id: string,
    isAllowed: (tx: Transaction) => Promise<boolean>,
    mayContinue: () => boolean,
  ) => Promise<boolean>;
};

type MayContinue = () => boolean;

/**
 * Deletes what is older than the office keeps it (R-ACCESS-93). Each step is a small transaction that notes what it deleted, and looks
 * again whether it still may: so a stop counts at once, and a start goes on where a crash ended a run.
 */
export function createNightRun(context: ServiceContext, { clearOlder, removeUnused }: NightRunDeps) {
  const { audit, orm, write, now, operatingNow, timeZone } = context;

  /** Whether the terms are still those with which the run began. */
  async function isSame(tx: Transaction, row: RetentionRow): Promise<boolean> {
    const { announcement, messagesMonths, accountsMonths } = (await queries.findRetention(tx)) ?? {};
    return (
      announcement === row.announcement &&
      messagesMonths === row.messagesMonths &&
      accountsMonths === row.accountsMonths
    );
  }

  /** Calls `visit` with the accounts of users, some at a time. @returns whether it came to the end */
  async function visitUses(
    row: RetentionRow,
    mayContinue: MayContinue,
    visit: (uses: AccountUse[]) => Promise<void>,
  ): Promise<boolean> {
    for (let after: string | null = ''; after !== null;) {
      if (!mayContinue()) return false;
      const { uses, lastId } = await queries.listUses(orm, { series: row.series, operating: operatingNow() }, after);
      await visit(uses);
      after = lastId;
      await nextTurn();
    }
    return true;
  }

  /** Notes how far the messages have come, and which accounts were in use since the last look. */
  async function look(row: RetentionRow, mayContinue: MayContinue): Promise<boolean> {
    await write(async (tx) => {
      const newestId = await readNewestMessageId(tx);
      if (newestId > 0) await queries.addMark(tx, newestId, operatingNow());
    });
    return visitUses(row, mayContinue, async (uses) => {
      const used = uses.filter(({ stamp, seen }) => seen?.stamp !== stamp);
      if (used.length > 0)
        await write((tx) => queries.noteUses(tx, used, { series: row.series, operating: operatingNow() }));
    });
  }

  /**
   * The newest message that is older than the term. Messages come one after the other: none is older than one before it, whatever the
   * clock said. Those after the anchor count by operating time alone.
   */
  async function findLastOld(row: RetentionRow, mayContinue: MayContinue): Promise<number> {
    const termMs = monthsMs(row.messagesMonths);
    const marked = await queries.findMarkedMessage(orm, operatingNow() - termMs);
    const beforeMs = believedNow(row, context) - termMs;
    let lastOld = Math.max(row.messagesUpToId, marked);
    while (lastOld < row.anchorMessageId && mayContinue()) {
      const range = { afterId: lastOld, upToId: row.anchorMessageId, beforeMs };
      const { id, isFound } = await queries.findNewerMessage(orm, range);
      if (isFound) return id - 1;
      lastOld = id;
      await nextTurn();
    }
    return lastOld;
  }

  async function deleteMessages(row: RetentionRow, mayContinue: MayContinue): Promise<boolean> {
    const lastOld = await findLastOld(row, mayContinue);
    if (lastOld <= row.messagesUpToId) return true;
    const hooks = {
      isAllowed: (tx: Transaction) => isSame(tx, row),
      count: (tx: Transaction, messages: number) => queries.addToRun(tx, { messages, accounts: 0 }),
    };
    if (!(await clearOlder(lastOld, hooks, mayContinue))) return false;
    await write(async (tx) => {
      await queries.updateRetention(tx, { messagesUpToId: lastOld });
      await queries.deleteMarksBefore(tx, lastOld);
    });
    return true;
  }

  async function isStillUnused(tx: Transaction, row: RetentionRow, id: string): Promise<boolean> {
    if (!(await isSame(tx, row))) return false;
    const use = await queries.findUse(tx, { series: row.series, operating: operatingNow() }, id);
    return use !== undefined && isUnused(use, row, context);
  }

  const deleteAccounts = (row: RetentionRow, mayContinue: MayContinue): Promise<boolean> =>
    visitUses(row, mayContinue, async (uses) => {
      for (const { id } of uses.filter((use) => isUnused(use, row, context))) {
        if (!mayContinue()) return;
        const isAllowed = async (tx: Transaction): Promise<boolean> => {
          if (!(await isStillUnused(tx, row, id))) return false;
          await queries.addToRun(tx, { messages: 0, accounts: 1 });
          return true;
        };
        await removeUnused(RETENTION_ACTOR, id, isAllowed, mayContinue);
      }
    });

  /** @returns whether nothing is left to do */
  async function run(row: RetentionRow, mayContinue: MayContinue): Promise<boolean> {
    if (!(await look(row, mayContinue))) return false;
    if (announcedLeftMs(row, operatingNow()) > 0) return true;
    if (row.messagesMonths > 0 && !(await deleteMessages(row, mayContinue))) return false;
    return row.accountsMonths === 0 || deleteAccounts(row, mayContinue);
  }

  /** Notes in the audit what was deleted since the last entry, also by a run that a crash ended. */
  async function finish(isDone: boolean): Promise<void> {
    const hasDeleted = await write(async (tx) => {
      const row = await queries.findRetention(tx);
      if (!row) return false;
      const { runMessages: messages, runAccounts: accounts } = row;
      const counted = messages > 0 || accounts > 0;
      if (counted) await audit.retentionRan(tx, { messages, accounts });
      const sums = { runMessages: 0, runAccounts: 0, lastAt: now(), lastMessages: messages, lastAccounts: accounts };
      if (counted) await queries.updateRetention(tx, sums);
      if (isDone) await queries.updateRetention(tx, { lastRunOperating: operatingNow() });
      return counted;
    });
    if (hasDeleted) await context.eraseDeleted();
  }

  /** One check whether a run is due. Nothing is written while everything is kept for ever. */
  return async function runIfDue(mayContinue: MayContinue): Promise<void> {
    const stored = await queries.findRetention(orm);
    const row = whileOn(stored);
    if (!row) {
      if (stored && (stored.runMessages > 0 || stored.runAccounts > 0)) await finish(false);
      return;
    }
    const isDue = (): boolean => isRunDue(row, operatingNow(), isNight(now(), timeZone));
    if (!isDue()) return;
    let isDone = false;
    try {
      isDone = await run(row, () => mayContinue() && isDue());
    } finally {
      await finish(isDone);
    }
  };
}
