import { HISTORY_DEFAULT, HISTORY_MAX } from '#shared/limits.ts';
import { edgeOf } from '../state/jump.ts';
import type { Refresh } from '../state/model/conversation.ts';
import type { Direction } from '../state/model/segment.ts';
import type { HistoryParams } from './api.ts';
import { requirePeerId } from './contact.ts';
import type { Effect, JobContext } from './runner.ts';

async function fetchHistory(userId: string, query: HistoryParams, context: JobContext) {
  return context.api.fetchHistory(await requirePeerId(userId, context), query);
}

async function loadPage(userId: string, { after }: Refresh, context: JobContext): Promise<void> {
  const { report } = context;
  const query = after === null ? { limit: HISTORY_DEFAULT } : { limit: HISTORY_MAX, after };
  try {
    report({ type: 'call.historyLoaded', userId, history: await fetchHistory(userId, query, context) });
  } catch (error) {
    report({ type: 'call.historyFailed', userId, error });
  }
}

/** Reads the next page of each conversation that is brought up to date. */
export const refreshes: Effect = (state) =>
  Object.entries(state.conversations).flatMap(([userId, { refresh }]) =>
    refresh ? [[`${userId} ${refresh.number} ${refresh.round}`, (context) => loadPage(userId, refresh, context)]] : [],
  );

async function loadOlder(userId: string, before: number, context: JobContext): Promise<void> {
  const { report } = context;
  try {
    const history = await fetchHistory(userId, { limit: HISTORY_DEFAULT, before }, context);
    report({ type: 'call.olderLoaded', userId, history });
  } catch (error) {
    report({ type: 'call.olderFailed', userId, error });
  }
}

export const olderPages: Effect = (state) =>
  Object.entries(state.conversations).flatMap(([userId, { olderRequest }]) =>
    olderRequest
      ? [[`${userId} ${olderRequest.before}`, (context) => loadOlder(userId, olderRequest.before, context)]]
      : [],
  );

async function loadAround(userId: string, around: number, context: JobContext): Promise<void> {
  const { report } = context;
  try {
    const history = await fetchHistory(userId, { limit: HISTORY_DEFAULT, around }, context);
    report({ type: 'call.jumpLoaded', userId, history });
  } catch (error) {
    report({ type: 'call.jumpFailed', userId, error });
  }
}

/** Opens conversations at a message. */
export const jumps: Effect = (state) =>
  Object.entries(state.jumps).flatMap(([userId, { loadState, number, targetId }]) =>
    loadState === 'busy' ? [[`${userId} ${number}`, (context) => loadAround(userId, targetId, context)]] : [],
  );

type Beside = { userId: string; direction: Direction; edge: number };

async function loadBeside({ userId, direction, edge }: Beside, context: JobContext): Promise<void> {
  const { report } = context;
  const position = direction === 'older' ? { before: edge } : { after: edge };
  try {
    const history = await fetchHistory(userId, { limit: HISTORY_DEFAULT, ...position }, context);
    report({ type: 'call.besideLoaded', userId, direction, history });
  } catch (error) {
    report({ type: 'call.besideFailed', userId, direction, error });
  }
}

/** Loads what stands before or after the messages around a message. */
export const pagesBeside: Effect = (state) =>
  Object.entries(state.jumps).flatMap(([userId, { segment }]) =>
    (['older', 'newer'] as const).flatMap((direction) => {
      const isBusy = segment && segment[direction === 'older' ? 'olderLoadState' : 'newerLoadState'] === 'busy';
      const edge = isBusy ? edgeOf(segment, direction) : undefined;
      if (edge === undefined) return [];
      return [[`${userId} ${direction} ${edge}`, (context) => loadBeside({ userId, direction, edge }, context)]];
    }),
  );

async function renewAround(userId: string, messageId: string, context: JobContext): Promise<void> {
  const { report } = context;
  try {
    const query = { limit: HISTORY_DEFAULT, around: Number(messageId) };
    const { messages } = await fetchHistory(userId, query, context);
    report({ type: 'call.messagesRenewed', userId, messages });
  } catch (error) {
    report({ type: 'call.renewalFailed', userId, error });
  }
}

/** Reads messages again, with fresh links to their files and marks of proofs. */
export const renewals: Effect = (state) =>
  Object.entries(state.renewals).flatMap(([userId, { askedId, number }]) =>
    askedId === null ? [] : [[`${userId} ${number}`, (context) => renewAround(userId, askedId, context)]],
  );
