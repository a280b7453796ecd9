import type { FastifyBaseLogger } from 'fastify';
import type { ChatStatistics, Office, OfficeHours } from '#shared/api/office.ts';
import { type ReportPeriod, reportRange, todayIn } from '#shared/domain/dates.ts';
import { findOfficeHours } from '#server/office-hours-queries.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { auditedHours, officeStatusAt, presentHours, scheduleOf, storedHours } from './hours.ts';
import { createOfficeClock } from './office-clock.ts';
import { createQueueQueries, saveOfficeHours } from './queries.ts';
import { createQueuePlaces } from './queue-places.ts';
import { createUsualWait } from './usual-wait.ts';

/** When the office answers, how long it usually takes, and who waits before whom (R-OFFICE-1). */
export function createOfficeService(context: ServiceContext, log: Pick<FastifyBaseLogger, 'error'>) {
  const { orm, write, policy, audit, publish, presence, queryWorker, now, timeZone } = context;
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
