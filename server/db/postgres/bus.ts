import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresAddress } from './address.ts';
import { clientConfig } from './connect.ts';
import { BUS_NAME } from './inspect.ts';
import { createTurns } from './turns.ts';

/** Carries texts between the processes of an office, in the order in which each sends them, and chooses one leader. */
export type Bus = {
  /** To all other processes; kept while the connection is away. */
  send: (text: string) => void;
  /** Whether this process leads: exactly one does while the database answers. */
  isLeader: () => boolean;
  close: () => Promise<void>;
};

export type BusListener = {
  received: (text: string) => void;
  /** Texts of others may have been missed. */
  missed: () => void;
  /** This process leads from now on. */
  leads: () => void;
};

const CHANNEL = 'pbb_kita';
/** The lock of the leader ends with its connection, so a dead process leads for some seconds at most. */
const LEADER_LOCK = 7_212_027;
const LEAD_EVERY_MS = 2000;
const RECONNECT_EVERY_MS = 300;
/** A host that has fallen silent ends no connection. A statement that gets no answer for so long ends it here. */
const ANSWER_WITHIN_MS = 4000;
/** PostgreSQL carries 7,999 bytes at once; a longer text goes in parts. */
const PLAIN_MAX_BYTES = 7800;
const PART_BYTES = 5700;
/** Texts that wait for a connection; with more of them the others are told that they missed some. */
const WAITING_MAX = 10_000;
/** A process that ends waits so long for its last texts to leave. */
const CLOSE_WAIT_MS = 500;
const MISSED = 'missed';

/** A text as payloads: `{sender} t{text}`, or its bytes in parts, `{sender} {part}/{parts} {base64}`. */
export function payloadsOf(sender: string, text: string): string[] {
  const bytes = Buffer.from(text);
  if (bytes.length <= PLAIN_MAX_BYTES) return [`${sender} t${text}`];
  const count = Math.ceil(bytes.length / PART_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES).toString('base64');
    return `${sender} ${index + 1}/${count} ${part}`;
  });
}

/** Joins the parts of each sender. @returns the sender and the text that a payload completes */
export function createReader(): (payload: string) => { from: string; text: string } | null {
  const partsOf = new Map<string, Buffer[]>();
  return (payload) => {
    const [, from = '', kind = '', content = ''] = /^(\S+) (t|\d+\/\d+ )([^]*)$/.exec(payload) ?? [];
    if (kind === 't') return { from, text: content };
    const [part, count] = kind.split('/').map(Number);
    const before = part === 1 ? [] : partsOf.get(from);
    partsOf.delete(from);
    // A process that joins in the middle of a text has not got its beginning.
    if (part === undefined || before?.length !== part - 1) return null;
    const parts = [...before, Buffer.from(content, 'base64')];
    if (part === count) return { from, text: Buffer.concat(parts).toString() };
    partsOf.set(from, parts);
    return null;
  };
}

/** @returns the texts of a sender; of another program, which may use the same channel, that some were missed */
function readTexts(json: string): string[] {
  try {
    const texts: unknown = JSON.parse(json);
    if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  } catch {
    // Not a text of this program.
  }
  return [MISSED];
}

async function connectToPrimary(address: PostgresAddress, mark: string): Promise<pg.Client | null> {
  for (const host of address.hosts) {
    const client = new pg.Client({
      ...clientConfig(address, host),
      application_name: `${BUS_NAME} ${mark}`,
      query_timeout: ANSWER_WITHIN_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ standby: number }>('select pg_is_in_recovery() as standby');
      if (rows[0]?.standby === 0) return client;
    } catch {
      // The next host may answer.
    }
    client.end().catch(() => undefined);
  }
  return null;
}

/**
 * Opens the bus over a connection of its own, which is made again whenever it breaks.
 * @param mark names this process to `doctor`, see server/operations/installation/process-mark.ts
 */
export async function openBus(address: PostgresAddress, listener: BusListener, mark = ''): Promise<Bus> {
  const sender = randomUUID();
  const read = createReader();
  let client: pg.Client | null = null;
  /** Those of the client. */
  let turns = createTurns();
  let waiting: string[] = [];
  let hasLost = false;
  let pumping: Promise<void> | null = null;
  let leads = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = null;
    leads = false;
    lost.end().catch(() => undefined);
    if (!isClosed) timer = setTimeout(() => void connect(true), RECONNECT_EVERY_MS);
  }

  function receive(payload: string): void {
    if (payload.startsWith(`${sender} `)) return;
    const complete = read(payload);
    if (!complete) return;
    for (const one of readTexts(complete.text)) {
      if (one === MISSED) listener.missed();
      else listener.received(one);
    }
  }

  async function connect(isAgain: boolean): Promise<void> {
    const opened = await connectToPrimary(address, mark);
    if (isClosed || !opened) {
      await opened?.end().catch(() => undefined);
      if (!isClosed) timer = setTimeout(() => void connect(isAgain), RECONNECT_EVERY_MS);
      return;
    }
    client = opened;
    turns = createTurns();
    opened.on('end', () => lose(opened));
    opened.on('notification', ({ payload = '' }) => receive(payload));
    try {
      await turns.inTurn(() => opened.query(`listen ${CHANNEL}`));
    } catch {
      lose(opened);
      return;
    }
    if (isAgain) listener.missed();
    await lead();
    pump();
  }

  async function lead(): Promise<void> {
    const asked = client;
    if (!asked || leads) return;
    try {
      const { rows } = await turns.inTurn(() =>
        asked.query<{ locked: number }>('select pg_try_advisory_lock($1) as locked', [LEADER_LOCK]),
      );
      leads = client === asked && rows[0]?.locked === 1;
      if (leads) listener.leads();
    } catch {
      lose(asked);
    }
  }

  async function sendWaiting(used: pg.Client): Promise<void> {
    const { inTurn } = turns;
    const texts = hasLost ? [MISSED, ...waiting] : waiting;
    waiting = [];
    // Texts may be lost while these are on their way.
    hasLost = false;
    try {
      for (const payload of payloadsOf(sender, JSON.stringify(texts)))
        await inTurn(() => used.query('select pg_notify($1, $2)', [CHANNEL, payload]));
    } catch {
      // They may have left or not.
      hasLost = true;
      lose(used);
    }
  }

  /** Texts that arrive while others are on their way leave together. */
  function pump(): void {
    if (pumping || !client || waiting.length === 0) return;
    pumping = sendWaiting(client).finally(() => {
      pumping = null;
      pump();
    });
  }

  /** Each sending may be followed by another one. */
  async function sendAll(): Promise<void> {
    for (let sending = pumping; sending; sending = pumping) await sending;
  }

  await connect(false);
  const leading = setInterval(() => void lead(), LEAD_EVERY_MS);
  leading.unref();

  return {
    send(text) {
      if (waiting.length >= WAITING_MAX) {
        waiting = [];
        hasLost = true;
      }
      waiting.push(text);
      pump();
    },
    isLeader: () => leads,
    async close() {
      // The last texts leave, unless the database is lost.
      await Promise.race([sendAll(), sleep(CLOSE_WAIT_MS, undefined, { ref: false })]);
      isClosed = true;
      clearInterval(leading);
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
