import { alone } from '#server/process/processes.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import Database from 'better-sqlite3';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { buildAdmin, buildTestUser, buildSession } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { watchSessions } from './session-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const triggerPoll = (): void => void vi.advanceTimersByTime(1000);

/** A database file with a second connection, which is like another process for the first one. */
function openTwoConnections() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-watch-'));
  const file = join(folder, 'pbb.sqlite');
  const database = openTestDatabase(file);
  const other = new Database(file);
  onTestFinished(() => {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { database, other };
}

describe('a session that another process ends', () => {
  it('closes within a second, with every tab, and no other tab is affected', async () => {
    const { database, other } = openTwoConnections();
    const test = await buildTestApp({ database });
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    const tabs = [await openTab(test, ratna), await openTab(test, buildSession(test, ratna.id))];
    const userTab = await openTab(test, budi);
    triggerPoll();
    await waitForPendingEvents(test, ...tabs, userTab);
    expect(tabs.every(({ socket }) => socket.connected)).toBe(true);

    other.prepare('delete from sessions where user_id = ?').run(ratna.id);
    triggerPoll();
    for (const tab of tabs) {
      expect(await tab.ended()).toBe('io server disconnect');
      expect(tab.payloadsOf('session:ended')).toEqual([
        { message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
      ]);
    }
    expect(userTab.socket.connected).toBe(true);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
  });

  it('causes a check only after another process wrote, a few at a time, and again when it wrote meanwhile', async () => {
    const { database, other } = openTwoConnections();
    onTestFinished(() => void database.sqlite.close());
    database.sqlite.exec('create table notes (text)');
    const limits: number[] = [];
    let rounds = 0;
    const finished: (() => void)[] = [];
    const stop = watchSessions(
      database,
      () => {
        rounds += 1;
        let left = 3;
        return (limit) => {
          limits.push(limit);
          left -= 1;
          if (left > 0) return false;
          finished.shift()?.();
          return true;
        };
      },
      alone,
      { error: () => expect.unreachable() },
    );
    const roundEnd = (): Promise<void> => new Promise((resolve) => void finished.push(resolve));

    database.sqlite.exec("insert into notes values ('own')");
    triggerPoll();
    expect(rounds).toBe(0);

    const first = roundEnd();
    other.exec("insert into notes values ('theirs')");
    triggerPoll();
    expect([rounds, limits]).toEqual([1, [50]]);
    // In the middle of the round: sessions that were checked already are checked once more.
    other.exec("insert into notes values ('more')");
    triggerPoll();
    expect(rounds).toBe(1);
    await first;
    await roundEnd();
    expect([rounds, limits.length]).toEqual([2, 6]);

    stop();
    other.exec("insert into notes values ('late')");
    triggerPoll();
    expect(rounds).toBe(2);
  });

  it('logs an error while the database cannot be read, and goes on', () => {
    const { database } = openTwoConnections();
    const errors: string[] = [];
    const stop = watchSessions(database, () => () => true, alone, {
      error: (_what: unknown, text?: string) => void errors.push(text ?? ''),
    });
    database.sqlite.close();
    triggerPoll();
    stop();
    expect(errors).toEqual(['the database could not be watched']);
  });
});
