import { randomUUID } from 'node:crypto';

/** The other processes of the office, as the parts of this one see them. On one file there are none. */
export type Processes = {
  /** Called when all listeners are there: from now on the others hear of this process, and tell it what they know. */
  start: () => void;
  /** Tells all others; they call their listeners of the topic, in the order in which this process told. */
  tell: (topic: string, data: unknown) => void;
  on: (topic: string, listener: (data: never, from: string) => void | Promise<void>) => void;
  /**
   * The listener is called when a process has started, or may have missed a message. It then sends the whole state of this
   * process, and the others replace what they knew of it.
   */
  onJoined: (listener: () => void) => void;
  /** Calls with a process that has ended. `isClean`: it said so, and all that it did was told. */
  onLeft: (listener: (from: string, isClean: boolean) => void) => void;
  /** Calls when this process takes the lead over, or leads when another one has ended: its work may be half done. */
  onTakingOver: (listener: () => void) => void;
  /** Calls when something may have been missed; what the others know is told again by itself. */
  onMissed: (listener: () => void | Promise<void>) => void;
  /** Whether this process does what only one may do: timers and sweeps. */
  isLeader: () => boolean;
  /** The number of other processes. */
  others: () => number;
  close: () => Promise<void>;
};

/** Carries texts to the other processes, see server/db/postgres/bus.ts. */
export type ProcessBus = { send: (text: string) => void; isLeader: () => boolean; close: () => Promise<void> };
type BusListener = { received: (text: string) => void; missed: () => void; leads: () => void };
export type OpenBus = (listener: BusListener) => Promise<ProcessBus>;

/** One process alone, which leads. */
export const alone: Processes = {
  start: () => {},
  tell: () => {},
  on: () => {},
  onJoined: () => {},
  onLeft: () => {},
  onTakingOver: () => {},
  onMissed: () => {},
  isLeader: () => true,
  others: () => 0,
  close: async () => {},
};

const BEAT_EVERY_MS = 2000;
/** A process that is silent for so long has ended, or cannot reach the database. */
const SILENT_MAX_MS = 7000;

/** A process that may have missed something asks the others for all that they know. */
const AGAIN = 'again';

/** `from`: null for a command, which is no process of the office. */
type Told = { topic: string; data: unknown; from: string | null };

/** Sends one message to all processes, for a command. The others do not count the command as a process. */
export async function tellProcesses(openBus: OpenBus, topic: string, data: unknown): Promise<void> {
  const bus = await openBus({ received: () => {}, missed: () => {}, leads: () => {} });
  bus.send(JSON.stringify({ topic, data, from: null } satisfies Told));
  await bus.close();
}

/**
 * Joins the other processes of the office. They hear of this one when it starts.
 * @param monotonicNow milliseconds that only run forward
 * @param onError gets what a listener throws: the others go on
 */
export async function joinProcesses(
  openBus: OpenBus,
  monotonicNow: () => number,
  onError: (error: unknown) => void,
): Promise<Processes> {
  const self = randomUUID();
  const listeners = new Map<string, ((data: never, from: string) => void | Promise<void>)[]>();
  const joined: (() => void)[] = [];
  const left: ((from: string, isClean: boolean) => void)[] = [];
  const missed: (() => void | Promise<void>)[] = [];
  const takingOver: (() => void)[] = [];
  const heardAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let isLeader = (): boolean => false;

  function forget(from: string, isClean: boolean): void {
    if (!heardAt.delete(from)) return;
    for (const listener of left) listener(from, isClean);
    if (isLeader()) for (const listener of takingOver) listener();
  }

  function run(listener: () => void | Promise<void>): void {
    void (async () => listener())().catch(onError);
  }

  function tellState(): void {
    for (const listener of joined) listener();
  }

  function receive(text: string): void {
    const { topic, data, from } = JSON.parse(text) as Told;
    if (from !== null) {
      if (topic === 'bye') return forget(from, true);
      const isNew = !heardAt.has(from);
      heardAt.set(from, monotonicNow());
      if (isNew || topic === AGAIN) tellState();
    }
    for (const listener of listeners.get(topic) ?? []) run(() => listener(data as never, from ?? ''));
  }

  const bus = await openBus({
    received: receive,
    missed: () => {
      // The same question of another process may be among what was missed.
      tellState();
      tell(AGAIN, null);
      for (const listener of missed) run(listener);
    },
    leads: () => {
      for (const listener of takingOver) listener();
    },
  });
  ({ isLeader } = bus);
  function tell(topic: string, data: unknown): void {
    if (timer) bus.send(JSON.stringify({ topic, data, from: self } satisfies Told));
  }

  function beat(): void {
    tell('beat', null);
    const silentBefore = monotonicNow() - SILENT_MAX_MS;
    for (const [from, at] of heardAt) if (at < silentBefore) forget(from, false);
  }

  return {
    start() {
      timer = setInterval(beat, BEAT_EVERY_MS);
      timer.unref();
      tell('beat', null);
      tellState();
    },
    tell,
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onJoined: (listener) => void joined.push(listener),
    onLeft: (listener) => void left.push(listener),
    onTakingOver: (listener) => void takingOver.push(listener),
    onMissed: (listener) => void missed.push(listener),
    isLeader,
    others: () => heardAt.size,
    async close() {
      if (timer) clearInterval(timer);
      tell('bye', null);
      await bus.close();
    },
  };
}
