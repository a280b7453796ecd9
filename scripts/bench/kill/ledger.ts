import type { CallResult } from './api-call.ts';

/** The calls of the load and the acknowledgements of the server. The stored data must agree with them. */

export type SentMessage = {
  clientId: string;
  content: string;
  acknowledgedId: string | null;
  /** By the clock of this computer. */
  acknowledgedAtMs: number | null;
};

/** One sender's messages in one conversation, in the order of sending. The next is sent when the last is acknowledged. */
export type Lane = { name: string; senderId: string; userId: string; messages: SentMessage[] };

/**
 * A message with files; its content is as the server acknowledged it. `open`: it is not acknowledged yet, or its deletion
 * has begun, so both states are right.
 */
export type FileMessage = SentMessage & {
  senderId: string;
  /** The names under which they are stored, and their SHA-256. */
  files: { name: string; hash: string }[];
  state: 'open' | 'kept' | 'cleared';
  /** When the deletion of its history was acknowledged, by the clock of this computer. */
  clearedAtMs: number | null;
};

/** The SHA-256 of a record's proof, or `absent` without the record. */
export type ProofState = string;

/** `possible` has two states while a call has no answer: before it and after it. */
export type SentRecord = {
  userId: string;
  token: string;
  sptNumber: string;
  id: string | null;
  possible: ProofState[];
};

export type Ledger = {
  lanes: Lane[];
  records: SentRecord[];
  fileMessages: FileMessage[];
  /** Acknowledged deletions of a history. */
  clears: number;
  /** The newest message that a side was acknowledged to have seen, by `user:<id>` and `admin:<id>`. */
  seen: Map<string, number>;
  /** Calls by what became of them: `status 201`, `ECONNREFUSED` and so on. */
  outcomes: Map<string, number>;
  /** Contradictions to an acknowledgement, as found while the load ran. */
  violations: string[];
  /** Repeats that got the first message: it was stored, but the answer had been lost. */
  storedWithoutAnswer: number;
};

export const createLedger = (): Ledger => ({
  lanes: [],
  records: [],
  fileMessages: [],
  clears: 0,
  seen: new Map(),
  outcomes: new Map(),
  violations: [],
  storedWithoutAnswer: 0,
});

export function countOutcome({ outcomes }: Ledger, call: string, { kind }: CallResult): void {
  const key = `${call} ${kind}`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
}

export const sentMessages = ({ lanes }: Ledger): SentMessage[] => lanes.flatMap(({ messages }) => messages);
