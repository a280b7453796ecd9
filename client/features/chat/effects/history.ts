import type { History } from '#shared/api/chat/chat.ts';
import { HISTORY_DEFAULT, HISTORY_MAX } from '#shared/limits.ts';
import type { ChatEvent } from '../state/events.ts';
import { edgeOf } from '../state/jump.ts';
import type { HistoryParams } from './api.ts';
import { requirePeerId } from './contact.ts';
import type { Effect, JobContext } from './runner.ts';

/** A page of one conversation that is read, and the event that either end of the call becomes. */
export type HistoryRead = {
  userId: string;
  query: HistoryParams;
  received: (history: History) => ChatEvent;
  failed: (error: unknown) => ChatEvent;
};

async function readHistory({ userId, query, received, failed }: HistoryRead, context: JobContext): Promise<void> {
  const { api, report } = context;
  try {
    report(received(await api.fetchHistory(await requirePeerId(userId, context), query)));
  } catch (error) {
    report(failed(error));
  }
}

/** Reads the next page of each conversation that is brought up to date. */
export const refreshes: Effect<HistoryRead> = {
  wanted: (state) =>
    Object.entries(state.conversations).flatMap(([userId, { refresh }]) => {
      if (!refresh) return [];
      const { number, round, after } = refresh;
      const read: HistoryRead = {
        userId,
        query: after === null ? { limit: HISTORY_DEFAULT } : { limit: HISTORY_MAX, after },
        received: (history) => ({ type: 'call.historyLoaded', userId, history }),
        failed: (error) => ({ type: 'call.historyFailed', userId, error }),
      };
      return [[`${userId} ${number} ${round}`, read]];
    }),
  run: readHistory,
};

export const olderPages: Effect<HistoryRead> = {
  wanted: (state) =>
    Object.entries(state.conversations).flatMap(([userId, { olderBefore: before }]) => {
      if (before === null) return [];
      const read: HistoryRead = {
        userId,
        query: { limit: HISTORY_DEFAULT, before },
        received: (history) => ({ type: 'call.olderLoaded', userId, history }),
        failed: (error) => ({ type: 'call.olderFailed', userId, error }),
      };
      return [[`${userId} ${before}`, read]];
    }),
  run: readHistory,
};

/**
 * Opens conversations at a message, after their newest messages: a deletion that a page misses is noticed only in what
 * follows loaded messages.
 */
export const jumps: Effect<HistoryRead> = {
  wanted: (state) =>
    Object.entries(state.jumps).flatMap(([userId, { loadState, number, targetId }]) => {
      if (loadState !== 'busy' || !state.conversations[userId]?.loaded) return [];
      const read: HistoryRead = {
        userId,
        query: { limit: HISTORY_DEFAULT, around: targetId },
        received: (history) => ({ type: 'call.jumpLoaded', userId, history }),
        failed: (error) => ({ type: 'call.jumpFailed', userId, error }),
      };
      return [[`${userId} ${number}`, read]];
    }),
  run: readHistory,
};

/** Loads the messages before or after those around a message. */
export const pagesBeside: Effect<HistoryRead> = {
  wanted: (state) =>
    Object.entries(state.jumps).flatMap(([userId, { segment }]) =>
      (['older', 'newer'] as const).flatMap((direction) => {
        const isBusy = segment && segment[direction === 'older' ? 'olderLoadState' : 'newerLoadState'] === 'busy';
        const edge = isBusy ? edgeOf(segment, direction) : undefined;
        if (edge === undefined) return [];
        const read: HistoryRead = {
          userId,
          query: { limit: HISTORY_DEFAULT, ...(direction === 'older' ? { before: edge } : { after: edge }) },
          received: (history) => ({ type: 'call.besideLoaded', userId, direction, history }),
          failed: (error) => ({ type: 'call.besideFailed', userId, direction, error }),
        };
        return [[`${userId} ${direction} ${edge}`, read]];
      }),
    ),
  run: readHistory,
};

/** Reads messages again, with fresh links to their files and marks of proofs. */
export const renewals: Effect<HistoryRead> = {
  wanted: (state) =>
    Object.entries(state.renewals).flatMap(([userId, { askedId, number }]) => {
      if (askedId === null) return [];
      const read: HistoryRead = {
        userId,
        query: { limit: HISTORY_DEFAULT, around: Number(askedId) },
        received: ({ messages }) => ({ type: 'call.messagesRenewed', userId, messages }),
        failed: (error) => ({ type: 'call.renewalFailed', userId, error }),
      };
      return [[`${userId} ${number}`, read]];
    }),
  run: readHistory,
};
