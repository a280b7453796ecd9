import type { FastifyBaseLogger } from 'fastify';
import type { ChatStatistics, Office, OfficeHours, PublicOffice } from '#shared/api/office.ts';
import { type ReportPeriod, reportRange, todayIn } from '#shared/domain/dates.ts';
import { PUBLIC_OFFICE_MAX, PUBLIC_OFFICE_WINDOW_MS } from '#shared/limits.ts';
import { createRateLimit } from '#server/http/rate-limit.ts';
import { addressKey } from '#server/ip-addresses.ts';
import { findOfficeHours } from '#server/office-hours-queries.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { auditedHours, officeStatusAt, presentHours, scheduleOf, storedHours } from './hours.ts';
import { createOfficeClock } from './office-clock.ts';
import { createQueueQueries, saveOfficeHours } from './queries.ts';
import { createQueuePlaces } from './queue-places.ts';
import { createUsualWait } from './usual-wait.ts';

/** Strangers must not make the server compute the hours at every request. */
const PUBLIC_CACHE_MS = 15_000;

/** When the office answers, how long it usually takes, and who waits before whom (R-OFFICE-1). */
export function createOfficeService(context: ServiceContext, log: Pick<FastifyBaseLogger, 'error'>) {
  const { orm, write, policy, audit, publish, presence, queryWorker, now, monotonicNow, rateLimits, timeZone } =
    context;
  const onError = (error: unknown): void => log.error({ err: error }, 'the office could not be read');
  const readStatus = () => officeStatusAt(findOfficeHours(orm), timeZone, now());
  const clock = createOfficeClock({
    readStatus,
    now,
    publish: (status) => publish.toUsers('office', status),
    onError,
  });
  const queue = createQueueQueries(orm);
  const places = createQueuePlaces({
    listWaiting: () => queue.listWaiting(now()),
    onlineUserIds: presence.onlineUserIds,
    publish: (userId, ahead) => publish.toUser(userId, 'queue', { ahead }),
    onError,
  });
  const usualWait = createUsualWait(context);
  const publicReads = createRateLimit(PUBLIC_OFFICE_MAX, PUBLIC_OFFICE_WINDOW_MS, monotonicNow);
  let cached: { office: PublicOffice; atMs: number } | null = null;

  return {
    /** Called when the server listens. */
    start: clock.check,
    close(): void {
      clock.close();
      places.close();
    },

    /** Called after each commit that may have changed who waits. */
    waitingChanged(): void {
      usualWait.changed();
      places.changed();
    },

    async current(currentUser: CurrentUser): Promise<Office> {
      const medianMs = await usualWait.current();
      const ahead = currentUser.isAdmin ? null : queue.countAhead(currentUser.id, now());
      places.wasRead(currentUser.id, ahead);
      return { ...readStatus(), median_ms: medianMs, ahead };
    },

    /** For callers without a session. @throws 429 after too many reads from one address */
    publicHours(address: string): PublicOffice {
      if (rateLimits) {
        const network = addressKey(address);
        publicReads.check(network);
        publicReads.count(network);
      }
      if (!cached || monotonicNow() - cached.atMs >= PUBLIC_CACHE_MS) {
        const stored = findOfficeHours(orm);
        const office = { ...officeStatusAt(stored, timeZone, now()), days: stored?.days ?? null };
        cached = { office, atMs: monotonicNow() };
      }
      return cached.office;
    },

    hours: (): OfficeHours => presentHours(findOfficeHours(orm), timeZone, now()),

    /** Stores the hours as a whole. @throws 401, 403 */
    async saveHours(currentUser: CurrentUser, hours: OfficeHours): Promise<OfficeHours> {
      const saved = await write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const nowMs = now();
        const before = findOfficeHours(tx);
        const row = storedHours(hours, before, timeZone, nowMs);
        saveOfficeHours(tx, row);
        const after = presentHours(row, timeZone, nowMs);
        const shownBefore = before ? presentHours(before, timeZone, nowMs) : null;
        audit.officeHoursChanged(tx, currentUser, auditedHours(shownBefore), auditedHours(after));
        return after;
      });
      cached = null;
      usualWait.changed();
      clock.check();
      return saved;
    },

    /** @param adminId takes turns with other accounts in the query worker */
    statistics(period: ReportPeriod, adminId: string): Promise<ChatStatistics> {
      const { fromDate, toDate } = reportRange(period, timeZone, now());
      const today = todayIn(timeZone, now());
      const request = {
        schedule: scheduleOf(findOfficeHours(orm)),
        timeZone,
        from: fromDate,
        // Days that have not come yet say nothing.
        to: toDate < today ? toDate : today,
      };
      return queryWorker.run('chatStatistics', request, { account: adminId, isSlow: true });
    },
  };
}
export type OfficeService = ReturnType<typeof createOfficeService>;
