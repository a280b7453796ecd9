import type { Worker } from 'node:worker_threads';
import { QueryRefusedError } from './abandoned-query.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** Short queries and slow ones have a thread each: a slow one delays only other slow ones. */
export type LaneName = 'short' | 'slow';

/** `abandonedId`: shared with the thread; holds the id of the last query whose caller hung up while it ran. */
export type QueryRequest = { id: number; name: string; args: unknown; abandonedId: Int32Array<SharedArrayBuffer> };
/** Tells the thread at once, for it may wait for PostgreSQL; SQLite asks `abandonedId` between its rows. */
export type QueryAbandoned = { abandoned: number };
export type QueryResult = { value: unknown; cpuMs: number };
export type QueryResponse = { id: number } & (QueryResult | { error: { message: string; code?: string } });

export type QueryLane = {
  run: (name: string, args: unknown, account: string, closed?: AbortSignal) => Promise<QueryResult>;
  /** Lets the waiting queries of this name and account wait in another lane instead. */
  moveWaiting: (name: string, account: string, to: QueryLane) => void;
  adopt: (query: Query) => void;
  /** Starts the next query, if none runs. Called when an account may run again. */
  runNext: () => void;
  close: () => Promise<void>;
};

type LaneOptions = {
  waitingPerAccountMax: number;
  waitingMax: number;
  waitMaxMs: number;
  runMaxMs: number;
  /** The thread ends after so long without a query; null: it stays. */
  idleMs: number | null;
  mayRun: (account: string) => boolean;
  /** Called before the next query is chosen. */
  learnCost: (name: string, account: string, cpuMs: number) => void;
};

type Query = {
  request: QueryRequest;
  account: string;
  closed: AbortSignal | undefined;
  /** The queue in which it waits. */
  queue: FairQueue<Query>;
  /** Ends the waiting: from then on neither time nor a hang-up drops the query. */
  stopWaiting: () => void;
  resolve: (result: QueryResult) => void;
  reject: (error: Error) => void;
};

/**
 * Runs queries in one worker thread, one after the other, in turns of their accounts. A query that waited or ran too long
 * is refused. SQLite cannot be interrupted from here, so the thread of a query that runs too long is ended. The next
 * thread starts when that one is gone: there is never more than one.
 */
export function createQueryLane(startWorker: () => Worker, options: LaneOptions): QueryLane {
  const queue = createFairQueue<Query>();
  let worker: Worker | null = null;
  let running: { query: Query; stopWatching: () => void } | null = null;
  const abandonedId = new Int32Array(new SharedArrayBuffer(4));
  let isEnding = false;
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function takeRunning(): Query | undefined {
    const query = running?.query;
    running?.stopWatching();
    running = null;
    return query;
  }

  function receive(response: QueryResponse): void {
    // The answer of a query that was refused while it ran.
    if (running?.query.request.id !== response.id) return;
    const query = takeRunning();
    if ('error' in response) {
      const { message, code } = response.error;
      query?.reject(Object.assign(new Error(message), { code }));
    } else if (query) {
      options.learnCost(query.request.name, query.account, response.cpuMs);
      query.resolve(response);
    }
    runNext();
  }

  function launch(): Worker {
    const started = startWorker();
    // Its 'error' comes before its 'exit'; by then another thread may run.
    const handleEnd = (error: Error): void => {
      if (worker !== started) return;
      worker = null;
      isEnding = false;
      takeRunning()?.reject(error);
      runNext();
    };
    started.unref();
    started.on('message', receive);
    started.on('error', handleEnd);
    started.on('exit', () => handleEnd(new Error('the reading worker ended')));
    return started;
  }

  function endThread(): void {
    isEnding = true;
    void worker?.terminate();
  }

  function refuseRunning(): void {
    takeRunning()?.reject(new QueryRefusedError('the query ran too long'));
    endThread();
  }

  /** Ends a running query after its time, and one whose caller hangs up. @returns its undo */
  function watch({ request, closed }: Query): () => void {
    const timer = setTimeout(refuseRunning, options.runMaxMs).unref();
    const abandon = (): void => {
      Atomics.store(abandonedId, 0, request.id);
      worker?.postMessage({ abandoned: request.id } satisfies QueryAbandoned);
    };
    closed?.addEventListener('abort', abandon);
    return () => {
      clearTimeout(timer);
      closed?.removeEventListener('abort', abandon);
    };
  }

  function runNext(): void {
    if (running || isEnding || isClosed) return;
    clearTimeout(idleTimer);
    const query = queue.take(options.mayRun);
    if (!query) {
      if (options.idleMs !== null && worker) idleTimer = setTimeout(endThread, options.idleMs).unref();
      return;
    }
    query.stopWaiting();
    worker ??= launch();
    try {
      // Arguments that cannot be cloned make this throw.
      worker.postMessage(query.request);
    } catch (error) {
      query.reject(error instanceof Error ? error : new Error(String(error)));
      return runNext();
    }
    running = { query, stopWatching: watch(query) };
  }

  return {
    run: (name, args, account, closed) =>
      new Promise((resolve, reject) => {
        const refuse = (reason: string): void => reject(new QueryRefusedError(reason));
        if (isClosed) return refuse('the server closes');
        if (closed?.aborted) return refuse('the caller hung up');
        if (queue.size() >= options.waitingMax || queue.sizeOf(account) >= options.waitingPerAccountMax)
          return refuse('too many queries wait');
        const drop = (reason: string): void => {
          query.queue.remove(account, query);
          query.stopWaiting();
          refuse(reason);
        };
        const dropHungUp = (): void => drop('the caller hung up');
        const timer = setTimeout(() => drop('the query waited too long'), options.waitMaxMs).unref();
        closed?.addEventListener('abort', dropHungUp);
        const stopWaiting = (): void => {
          clearTimeout(timer);
          closed?.removeEventListener('abort', dropHungUp);
        };
        lastId += 1;
        const request = { id: lastId, name, args, abandonedId };
        const query: Query = { request, account, closed, queue, stopWaiting, resolve, reject };
        queue.push(account, query);
        runNext();
      }),
    moveWaiting(name, account, to) {
      for (const query of queue.takeMatching(account, ({ request }) => request.name === name)) to.adopt(query);
    },
    adopt(query) {
      query.queue = queue;
      lastId += 1;
      query.request = { ...query.request, id: lastId, abandonedId };
      queue.push(query.account, query);
      runNext();
    },
    runNext,
    close: async () => {
      isClosed = true;
      clearTimeout(idleTimer);
      for (let query = queue.take(); query; query = queue.take()) {
        query.stopWaiting();
        query.reject(new QueryRefusedError('the server closes'));
      }
      await worker?.terminate();
    },
  };
}
