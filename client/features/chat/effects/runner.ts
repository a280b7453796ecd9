import type { RealtimeConnection } from '#client/realtime/socket.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { type ChatState, type ChatStore, chatStateAtom, emptyChatState } from '../state/chat-state.ts';
import type { ChatEvent } from '../state/events.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { dispatchAtom } from '../state/selectors.ts';
import type { update as Update } from '../state/update.ts';
import type { ChatApi } from './api.ts';

/** The objects on which the effects of one chat session act. */
export type Ports = {
  api: ChatApi;
  connection: RealtimeConnection;
  notifier: Notifier;
  /** The call for the contact admin that is under way, which several jobs may wait for. */
  contactCall: { current: Promise<string> | null };
};

export type JobContext = Ports & {
  /** Aborted when the state no longer wants the job. */
  signal: AbortSignal;
  read: () => ChatState;
  /** Takes the result of the job; nothing once it is aborted. */
  report: (event: ChatEvent) => void;
  /** For what does not belong to this job alone. */
  dispatch: (event: ChatEvent) => void;
};

/** Something that is done while the state wants it, such as a call. What must not be state stays in the job. */
export type Effect<Input> = {
  /** The inputs of the jobs that should run in a state, each under a key. Changed only under another key. */
  wanted(state: ChatState): readonly (readonly [key: string, input: Input])[];
  /** Does one thing and reports what came of it. Never rejects: an error is a result. */
  run(input: Input, context: JobContext): Promise<void> | void;
};
export type Effects = Readonly<Record<string, Effect<unknown>>>;

/** Keeps something outside equal to the state, at once after each change. */
export type Mirror = (state: ChatState, before: ChatState, ports: Ports) => void;

type RunnerDeps = {
  store: ChatStore;
  initial: ChatState;
  ports: Ports;
  update: typeof Update;
  effects: Effects;
  mirrors: readonly Mirror[];
  /** The unsent messages as all tabs have stored them; each event begins with them. */
  outbox: {
    readAll: () => readonly OutboxEntry[];
    writeChanges: (before: readonly OutboxEntry[], after: readonly OutboxEntry[]) => void;
  };
};

/**
 * Runs a chat: after each event `update`, then for each effect what is new starts and what is gone is aborted. A job that has
 * ended is not started again while its key is wanted.
 */
export function startRunner({ store, initial, ports, update, effects, mirrors, outbox }: RunnerDeps) {
  const running = new Map<string, AbortController>();
  const queue: ChatEvent[] = [];
  let state = initial;
  let isBusy = false;
  let isStopped = false;

  function startJob<Input>(key: string, effect: Effect<Input>, input: Input): void {
    const abort = new AbortController();
    running.set(key, abort);
    const report = (event: ChatEvent): void => {
      if (!abort.signal.aborted) dispatch(event);
    };
    void effect.run(input, { ...ports, signal: abort.signal, read: () => state, report, dispatch });
  }

  function compareJobs(): void {
    const wanted = new Map<string, () => void>();
    for (const [name, effect] of Object.entries(effects)) {
      for (const [ownKey, input] of effect.wanted(state)) {
        const key = `${name} ${ownKey}`;
        wanted.set(key, () => startJob(key, effect, input));
      }
    }
    for (const [key, abort] of running) {
      if (wanted.has(key)) continue;
      running.delete(key);
      abort.abort();
    }
    for (const [key, start] of wanted) if (!running.has(key)) start();
  }

  function show(next: ChatState): void {
    const before = state;
    state = next;
    store.set(chatStateAtom, next);
    for (const mirror of mirrors) mirror(next, before, ports);
    compareJobs();
  }

  function take(event: ChatEvent): void {
    const entries = outbox.readAll();
    const read = entries === state.outbox ? state : { ...state, outbox: entries };
    const next = update(read, event, { ms: Date.now(), random: Math.random() });
    outbox.writeChanges(entries, next.outbox);
    if (next !== state) show(next);
  }

  /** Takes an event; one that comes in the middle of another one follows it. */
  function dispatch(event: ChatEvent): void {
    if (isStopped) return;
    queue.push(event);
    if (isBusy) return;
    isBusy = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) take(next);
    } finally {
      isBusy = false;
    }
  }

  store.set(dispatchAtom, { dispatch });
  isBusy = true;
  for (const mirror of mirrors) mirror(initial, emptyChatState, ports);
  show(initial);
  isBusy = false;

  return {
    dispatch,
    read: (): ChatState => state,
    stop(): void {
      isStopped = true;
      for (const abort of running.values()) abort.abort();
      running.clear();
      store.set(chatStateAtom, emptyChatState);
    },
  };
}
