import { errorTexts } from '#shared/texts.ts';
import { AppError, tooMany } from './errors.ts';

/** Uploads that the server reads at the same time; the others wait. */
const SLOTS_PER_ACCOUNT = 2;
const SLOTS = 20;
/** Longer than an upload takes on a good line, and shorter than a browser waits for progress (R-API-18). */
const WAIT_MAX_MS = 5000;
const WAITING_PER_ACCOUNT_MAX = 4;
const WAITING_MAX = 60;
const RETRY_AFTER_SECONDS = 5;

type Waiting = { accountId: string; start: () => void };

/**
 * Bounds how many uploads are read at the same time, by an account and in all (docs/requirements.md R-PROOF-13), so that
 * their temporary files and connections stay few however many are opened.
 */
export function createUploadSlots() {
  const takenByAccount = new Map<string, number>();
  let taken = 0;
  let queue: Waiting[] = [];

  const takenBy = (accountId: string): number => takenByAccount.get(accountId) ?? 0;
  const isFree = (accountId: string): boolean => taken < SLOTS && takenBy(accountId) < SLOTS_PER_ACCOUNT;
  const countTaken = (accountId: string, change: 1 | -1): void => {
    taken += change;
    const takenByThis = takenBy(accountId) + change;
    if (takenByThis === 0) takenByAccount.delete(accountId);
    else takenByAccount.set(accountId, takenByThis);
  };

  function takeSlot(accountId: string): () => void {
    countTaken(accountId, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      countTaken(accountId, -1);
      const next = queue.find((waiting) => isFree(waiting.accountId));
      next?.start();
    };
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
    acquire: async (accountId: string): Promise<() => void> => {
      if (isFree(accountId)) return takeSlot(accountId);
      const waitingOfAccount = queue.filter((waiting) => waiting.accountId === accountId).length;
      if (queue.length >= WAITING_MAX || waitingOfAccount >= WAITING_PER_ACCOUNT_MAX) throw refusal(accountId);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          queue = queue.filter((other) => other !== waiting);
        };
        const waiting = {
          accountId,
          start: () => {
            leave();
            resolve(takeSlot(accountId));
          },
        };
        const timer = setTimeout(() => {
          leave();
          reject(refusal(accountId));
        }, WAIT_MAX_MS);
        queue.push(waiting);
      });
    },
  };
}
