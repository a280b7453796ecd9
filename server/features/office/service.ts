import type { FastifyBaseLogger } from 'fastify';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import type { Office, OfficeHours, OfficeState, PublicOffice } from '#shared/api/office/office.ts';
import { type OfficePeriod, reportRange, todayIn } from '#shared/domain/dates/dates.ts';
import { FEW_WAITING_MAX } from '#shared/limits.ts';
import { findOfficeHours, saveOfficeHours } from '#server/office/office-queries.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { readRecordSettings } from '#server/records/record-settings-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { auditedHours, officeStatusAt, presentHours, scheduleOf, storedHours } from './hours.ts';
import { createOfficeClock } from './office-clock.ts';
import { createPublicReads } from './public-reads.ts';
import { queueQueries } from './queue-queries.ts';
import { createQueuePlaces } from './queue-places.ts';
import { createUsualWait } from './usual-wait.ts';

/** Strangers must not make the server compute the hours at every request. */
const PUBLIC_CACHE_MS = 15_000;

const HOURS_CHANGED = 'hours changed';

/** When the office answers, how long it usually takes, and who waits before whom (R-OFFICE-1). */
export function createOfficeService(context: ServiceContext, log: Pick<FastifyBaseLogger, 'error'>) {
  const { orm, write, policy, audit, publish, presence, processes, queryWorker, now, monotonicNow, timeZone } = context;
  const onError = (error: unknown): void => log.error({ err: error }, 'the office could not be read');
  const readStatus = async (): Promise<OfficeState> => ({
    ...officeStatusAt(await findOfficeHours(orm), timeZone, now()),
    user_years: (await readRecordSettings(orm)).user_years,
  });
  const clock = createOfficeClock({
    readStatus,
    now,
    // Each process has a clock of its own.
    publish: (status) => publish.here.toUsers('office', status),
    onError,
  });
  const queue = queueQueries(orm);
  const areFewWaiting = (): Promise<boolean> => queue.areFewWaiting(FEW_WAITING_MAX, now());
  const places = createQueuePlaces({
    listWaiting: () => queue.listWaiting(now()),
    areFewWaiting,
    onlineUserIds: presence.userIdsHere,
    publish: (userId, ahead) => publish.here.toUser(userId, 'queue', { ahead }),
    publishLength: (fewWaiting) => publish.here.toUsers('queue:length', { few_waiting: fewWaiting }),
    onError,
  });
  const usualWait = createUsualWait(context);
  const countRead = createPublicReads(context);
  let cached: { office: PublicOffice; atMs: number } | null = null;
  let hoursVersion = 0;

  /** Called when the hours or the open years have changed, here or at another process. */
  async function hoursChanged(): Promise<void> {
    cached = null;
    hoursVersion += 1;
    usualWait.changed();
    await clock.check();
  }
  processes.on(HOURS_CHANGED, hoursChanged);
  async function tellHoursChanged(): Promise<void> {
    processes.tell(HOURS_CHANGED, null);
    await hoursChanged();
  }

  return {
    /** Called before the first request. */
    async start(): Promise<void> {
      await clock.check();
      await places.start();
    },
    async close(): Promise<void> {
      await Promise.all([clock.close(), places.close()]);
    },

    /** Called after each commit that may have changed who waits. */
    waitingChanged(): void {
      usualWait.changed();
      places.changed();
    },

    /** Called after a change of the tax years that users may enter. */
    async openYearsChanged(): Promise<void> {
      // Users hear of it from the clock, because the years are part of what it publishes to them.
      await tellHoursChanged();
      publish.toAdmins('office', await readStatus());
    },

    async current(currentUser: CurrentUser): Promise<Office> {
      const medianMs = await usualWait.current();
      const ahead = currentUser.isAdmin ? null : await queue.countAhead(currentUser.id, now());
      places.wasRead(currentUser.id, ahead);
      return {
        ...(await readStatus()),
        median_ms: medianMs,
        ahead,
        admin_online: presence.isAdminOnline(),
        few_waiting: await areFewWaiting(),
      };
    },

    /** For callers without a session. @throws 429 after too many reads from one address */
    async publicHours(address: string): Promise<PublicOffice> {
      countRead(address);
      if (cached && monotonicNow() - cached.atMs < PUBLIC_CACHE_MS) return cached.office;
      const version = hoursVersion;
      const stored = await findOfficeHours(orm);
      const office = { ...officeStatusAt(stored, timeZone, now()), days: stored?.days ?? null };
      // Hours that were saved meanwhile are not in it.
      if (version === hoursVersion) cached = { office, atMs: monotonicNow() };
      return office;
    },

    hours: async (): Promise<OfficeHours> => presentHours(await findOfficeHours(orm), timeZone, now()),

    /** Stores the hours as a whole. @throws 401, 403 */
    async saveHours(currentUser: CurrentUser, hours: OfficeHours): Promise<OfficeHours> {
      const saved = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const nowMs = now();
        const before = await findOfficeHours(tx);
        const row = storedHours(hours, before, timeZone, nowMs);
        await saveOfficeHours(tx, row);
        const after = presentHours(row, timeZone, nowMs);
        const shownBefore = before ? presentHours(before, timeZone, nowMs) : null;
        await audit.officeHoursChanged(tx, currentUser, auditedHours(shownBefore), auditedHours(after));
        return after;
      });
      await tellHoursChanged();
      return saved;
    },

    /** @param adminId takes turns with other accounts in the query worker */
    async statistics(period: OfficePeriod, adminId: string): Promise<ChatStatistics> {
      const { fromDate, toDate } = reportRange(period, timeZone, now());
      const today = todayIn(timeZone, now());
      const request = {
        schedule: scheduleOf(await findOfficeHours(orm)),
        timeZone,
        from: fromDate,
        // Days that have not come yet say nothing.
        to: toDate < today ? toDate : today,
      };
      const statistics = await queryWorker.run('chatStatistics', request, { account: adminId, isSlow: true });
      const nowMs = now();
      const waiting = await queue.findWaiting(nowMs);
      return {
        ...statistics,
        // The clock may have been set back since the message came.
        waiting: waiting && { count: waiting.count, longest_ms: Math.max(0, nowMs - waiting.since) },
      };
    },
  };
}
export type OfficeService = ReturnType<typeof createOfficeService>;
