import { type LoadResult, startLoad } from './load-process.ts';
import { median, percentiles, type Result } from '../results.ts';
import type { BenchUser } from '../seed-data.ts';
import { type MeasuredServer, readMaxLoopDelayMs, readUsage } from '../server-process.ts';

const WARM_UP_MS = 1500;
const ROUND_MS = 4000;

/** An office that is measured; its people are shared out among its processes. */
export type Office = { servers: MeasuredServer[]; senders: BenchUser[]; admins: BenchUser[] };
/** Delivery times are those of one server only: the loads of several do not know each other's messages. */
export type Round = Required<Pick<LoadResult, 'times' | 'deliveryTimes'>> & {
  /** Messages and events a second. */
  rate: number;
  eventRate: number;
  /** Processor time of a message, in all threads of all servers of the program, without those of PostgreSQL. */
  cpuMicroseconds: number;
  /** The same in percent of one core. */
  corePercent: number;
  /** The share of the time in which the event loop of the busiest server was busy; on a busy machine also with waiting for a core. */
  loopPercent: number;
  /** The longest time for which something held the event loop of a server. */
  pauseMs: number;
};

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
const shareOf = <T>(all: readonly T[], index: number, count: number): T[] =>
  all.filter((_, position) => position % count === index);

/** @param perSecond null: as many messages as the program can store */
export async function measureRound(
  { servers, senders, admins }: Office,
  adminCount: number,
  perSecond: number | null,
): Promise<Round> {
  const loads = await Promise.all(
    servers.map(({ url }, index) =>
      startLoad({
        name: 'messages',
        url,
        senders: shareOf(senders, index, servers.length),
        admins: shareOf(admins.slice(0, adminCount), index, servers.length),
        perSecond: perSecond === null ? null : perSecond / servers.length,
        warmUpMs: WARM_UP_MS,
        measureMs: ROUND_MS,
      }),
    ),
  );
  await Promise.all(servers.map(readMaxLoopDelayMs));
  // All sockets are open. The usage covers the warm-up too, in which messages are sent at the same rate.
  const [startedAt, before] = [performance.now(), await Promise.all(servers.map(readUsage))];
  const results = await Promise.all(loads.map(({ result }) => result));
  const after = await Promise.all(servers.map(readUsage));
  const elapsedMs = performance.now() - startedAt;
  const pausesMs = await Promise.all(servers.map(readMaxLoopDelayMs));
  const used = after.map(({ cpuMicroseconds }, index) => cpuMicroseconds - (before[index]?.cpuMicroseconds ?? 0));
  const busy = after.map(({ loopActiveMs }, index) => loopActiveMs - (before[index]?.loopActiveMs ?? 0));
  const rate = sum(results.map(({ count, seconds }) => count / seconds));
  return {
    times: results.flatMap(({ times }) => times),
    deliveryTimes: results.flatMap(({ deliveryTimes = [] }) => deliveryTimes),
    rate,
    eventRate: sum(results.map(({ events = 0, seconds }) => events / seconds)),
    cpuMicroseconds: sum(used) / ((rate * (WARM_UP_MS + ROUND_MS)) / 1000),
    corePercent: sum(used) / 10 / elapsedMs,
    loopPercent: (100 * Math.max(...busy)) / elapsedMs,
    pauseMs: Math.max(...pausesMs),
  };
}

export const medianOf = (rounds: readonly Round[], valueOf: (round: Round) => number): number =>
  median(rounds.map(valueOf));
export const p99 = (times: number[]): number => percentiles(times).p99;

/** The rows of rounds in which each sender sends its next message after the last answer, beside those of a baseline. */
export function closedLoopRows(
  name: string,
  rounds: readonly Round[],
  baselineRounds: readonly Round[],
  rateAim?: Result['aim'],
): Result[] {
  const row = (what: string, valueOf: (round: Round) => number, aim?: Result['aim']): Result => ({
    name: `${name}: ${what}`,
    baseline: medianOf(baselineRounds, valueOf),
    measured: medianOf(rounds, valueOf),
    aim,
  });
  return [
    row('messages/s', ({ rate }) => rate, rateAim),
    row('processor time of a message, µs', ({ cpuMicroseconds }) => cpuMicroseconds),
    row('answer p99, ms', ({ times }) => p99(times)),
  ];
}

/** `aims`: of the delivery p99 in milliseconds, and of the share of a core in percent. `suffix`: what else is there. */
type FixedRate = {
  admins: number;
  perSecond: number;
  roundCount: number;
  aims?: { delivery: number; core: number };
  suffix?: string;
};

/** The rows of a fixed rate, with the product alone: what admins wait for, and what is left of the event loop. */
export async function fixedRateRows(
  office: Office,
  { admins, perSecond, roundCount, aims, suffix = '' }: FixedRate,
): Promise<Result[]> {
  const adminCount = Math.min(admins, office.admins.length);
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round += 1) rounds.push(await measureRound(office, adminCount, perSecond));
  const name = (what: string): string => `${perSecond}/s to ${adminCount} admins${suffix}: ${what}`;
  const row = (what: string, valueOf: (round: Round) => number, max?: number): Result => ({
    name: name(what),
    measured: medianOf(rounds, valueOf),
    aim: max === undefined ? undefined : { max },
  });
  return [
    row('answer p50, ms', ({ times }) => median(times)),
    row('answer p99, ms', ({ times }) => p99(times)),
    row('delivery p50, ms', ({ deliveryTimes }) => median(deliveryTimes)),
    row('delivery p99, ms', ({ deliveryTimes }) => p99(deliveryTimes), aims?.delivery),
    row('processor time of a message, µs', ({ cpuMicroseconds }) => cpuMicroseconds),
    row('used of a core, %', ({ corePercent }) => corePercent, aims?.core),
    row('event loop busy, %', ({ loopPercent }) => loopPercent),
    row('events/s', ({ eventRate }) => eventRate),
    { name: name('longest pause, ms'), measured: Math.max(...rounds.map(({ pauseMs }) => pauseMs)), isPause: true },
  ];
}
