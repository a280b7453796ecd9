import { errorTexts } from '#shared/texts.ts';
import { AppError, tooMany } from '../errors.ts';

/** Uploads that the server reads at the same time; the others wait. */
const SLOTS_PER_ACCOUNT = 2;
const SLOTS = 20;
/** Longer than an upload takes on a good line, and shorter than a browser waits for progress (R-API-18). */
const WAIT_MAX_MS = 5000;
const WAITING_PER_ACCOUNT_MAX = 4;
const WAITING_MAX = 60;
export const RETRY_AFTER_SECONDS = 5;

/** While others wait for a slot, an upload below this average is ended; a phone on a 2G network sends about 5 KB/s. */
const BYTES_PER_SECOND_MIN = 3072;
/** Shorter than others wait, so that slow uploads cannot keep everybody else out. */
const GRACE_MS = 4000;
const EVICTION_CHECK_MS = 1000;

/** A running upload, as far as its slot needs to know it. */
export type RunningUpload = {
  readBytes: () => number;
  /** The server works on an upload that has arrived whole. */
  isComplete: () => boolean;
  /** Ends it with an answer; its slot is released when the connection closes. */
  end: () => void;
};
type Slot = { upload: RunningUpload; takenAt: number; bytesBefore: number };
type Waiting = { accountId: string; start: () => void };

/**
 * Bounds how many uploads are read at the same time, by an account and in all (docs/requirements.md R-PROOF-13), so that
 * their temporary files and connections stay few however many are opened. Uploads that trickle make room for others.
 */
export function createUploadSlots() {
  const takenByAccount = new Map<string, number>();
  const slots = new Set<Slot>();
  let queue: Waiting[] = [];

  const takenBy = (accountId: string): number => takenByAccount.get(accountId) ?? 0;
  const isFree = (accountId: string): boolean => slots.size < SLOTS && takenBy(accountId) < SLOTS_PER_ACCOUNT;
  const countTaken = (accountId: string, change: 1 | -1): void => {
    const takenByThis = takenBy(accountId) + change;
    if (takenByThis === 0) takenByAccount.delete(accountId);
    else takenByAccount.set(accountId, takenByThis);
  };

  function takeSlot(accountId: string, upload: RunningUpload): () => void {
    const slot = { upload, takenAt: performance.now(), bytesBefore: upload.readBytes() };
    slots.add(slot);
    countTaken(accountId, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      slots.delete(slot);
      countTaken(accountId, -1);
      const next = queue.find((waiting) => isFree(waiting.accountId));
      next?.start();
    };
  }

  /** Ends the slowest upload when this account has to wait because all slots are taken, so that connections that trickle do not hold them. */
  function evictSlowestFor(accountId: string): void {
    if (slots.size < SLOTS || takenBy(accountId) >= SLOTS_PER_ACCOUNT) return;
    const now = performance.now();
    const rateOf = ({ upload, takenAt, bytesBefore }: Slot): number =>
      (upload.readBytes() - bytesBefore) / ((now - takenAt) / 1000);
    const [slowest] = [...slots]
      .filter(({ upload, takenAt }) => now - takenAt >= GRACE_MS && !upload.isComplete())
      .map((slot) => ({ slot, rate: rateOf(slot) }))
      .toSorted((a, b) => a.rate - b.rate);
    if (slowest && slowest.rate < BYTES_PER_SECOND_MIN) slowest.slot.upload.end();
  }

  /** An account that has all of its slots is told so; otherwise the server is busy. */
  function refusal(accountId: string): AppError {
    if (takenBy(accountId) >= SLOTS_PER_ACCOUNT) return tooMany(RETRY_AFTER_SECONDS);
    return new AppError(503, errorTexts.busy, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }

  return {
    /**
     * Waits for a slot if none is free.
     * @returns a function that releases it; further calls of that function do nothing
     * @throws 429 when the account's own uploads take too long, 503 when those of all do
     */
    acquire: async (accountId: string, upload: RunningUpload): Promise<() => void> => {
      if (isFree(accountId)) return takeSlot(accountId, upload);
      const waitingOfAccount = queue.filter((waiting) => waiting.accountId === accountId).length;
      if (queue.length >= WAITING_MAX || waitingOfAccount >= WAITING_PER_ACCOUNT_MAX) throw refusal(accountId);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          clearInterval(evictions);
          queue = queue.filter((other) => other !== waiting);
        };
        const waiting = {
          accountId,
          start: () => {
            leave();
            resolve(takeSlot(accountId, upload));
          },
        };
        const timer = setTimeout(() => {
          leave();
          reject(refusal(accountId));
        }, WAIT_MAX_MS);
        queue.push(waiting);
        const evictions = setInterval(() => evictSlowestFor(accountId), EVICTION_CHECK_MS);
        evictSlowestFor(accountId);
      });
    },
  };
}
