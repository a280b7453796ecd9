import { errorTexts } from '#shared/texts.ts';
import { AppError, tooMany } from '../errors.ts';

/** Uploads that the server reads at the same time; the others wait. */
const SLOTS_PER_ACCOUNT = 2;
/** Users never get more than this: their accounts cost nothing, so they must not keep admins from uploading. */
const SLOTS_OF_USERS = 20;
const SLOTS = 24;
/**
 * While others wait, one address keeps at most so many, because many phones of one mobile network share an address. For an
 * address that has none, another one gives up a slot, also below this.
 */
const SLOTS_PER_ADDRESS = 6;
/** Longer than an upload takes on a good line, and shorter than a browser waits for progress (R-API-18). */
const WAIT_MAX_MS = 5000;
const WAITING_PER_ACCOUNT_MAX = 4;
const WAITING_MAX = 60;
export const RETRY_AFTER_SECONDS = 5;

/** While others wait for a slot, an upload below this average is ended; a phone on a 2G network sends about 5 KB/s. */
const BYTES_PER_SECOND_MIN = 3072;
/** So is one that keeps its slot for longer than this, or would at its average. A photo at 5 KB/s takes a minute. */
const SECONDS_MAX = 75;
/** Shorter than others wait, so that slow uploads cannot keep everybody else out. */
const GRACE_MS = 4000;
/** The interval at which an upload may be ended for those that wait. */
const EVICTION_CHECK_MS = 500;

export type Uploader = { id: string; isAdmin: boolean; /** See `addressKey`. */ address: string };

/** A running upload, as far as its slot needs to know it. */
export type RunningUpload = {
  /** Infinity when its client does not say it. */
  totalBytes: number;
  readBytes: () => number;
  /** The server works on an upload that has arrived whole. */
  isComplete: () => boolean;
  /** Ends it with an answer; its slot is released when the connection closes. */
  end: () => void;
};
type Slot = { uploader: Uploader; upload: RunningUpload; takenAt: number; bytesBefore: number };
type Waiting = { uploader: Uploader; start: () => void; refuse: () => void };
/** The number of uploads of an account and of an address. */
type Share = { ofAccount: number; ofAddress: number };

function shareOf({ id, address }: Uploader, uploads: readonly { uploader: Uploader }[]): Share {
  return {
    ofAccount: uploads.filter(({ uploader }) => uploader.id === id).length,
    ofAddress: uploads.filter(({ uploader }) => uploader.address === address).length,
  };
}

const compareShares = (a: Share, b: Share): number => a.ofAccount - b.ofAccount || a.ofAddress - b.ofAddress;
/** With one upload less the larger share is still no smaller than the other one with one more. */
const isUnfair = (larger: number, other: number): boolean => larger > other + 1;

/**
 * Bounds how many uploads are read at the same time, by an account and in all (docs/requirements.md R-PROOF-13), so that
 * their temporary files and connections stay few however many are opened. When all slots are taken, the uploader with the fewest slots comes first.
 */
export function createUploadSlots() {
  const slots = new Set<Slot>();
  let queue: Waiting[] = [];
  let evictions: NodeJS.Timeout | undefined;

  const heldBy = (uploader: Uploader): Share => shareOf(uploader, [...slots]);
  const hasOwnRoom = (uploader: Uploader): boolean => heldBy(uploader).ofAccount < SLOTS_PER_ACCOUNT;
  const areUsersFull = (): boolean => [...slots].filter(({ uploader }) => !uploader.isAdmin).length >= SLOTS_OF_USERS;
  const hasSharedRoom = ({ isAdmin }: Uploader): boolean => slots.size < SLOTS && (isAdmin || !areUsersFull());
  const isFree = (uploader: Uploader): boolean => hasSharedRoom(uploader) && hasOwnRoom(uploader);
  /** Uploaders with the fewest slots come first, then those that have waited longest. */
  const listByTurn = (): Waiting[] => queue.toSorted((a, b) => compareShares(heldBy(a.uploader), heldBy(b.uploader)));

  function takeSlot(uploader: Uploader, upload: RunningUpload): () => void {
    const slot = { uploader, upload, takenAt: performance.now(), bytesBefore: upload.readBytes() };
    slots.add(slot);
    return () => {
      if (!slots.delete(slot)) return;
      const next = listByTurn().find((waiting) => isFree(waiting.uploader));
      next?.start();
    };
  }

  /** The upload that has to make room for a waiting one, if there is any. */
  function findEvictable(waiting: Uploader): Slot | undefined {
    const now = performance.now();
    const own = heldBy(waiting);
    const isOfUser = !waiting.isAdmin && areUsersFull();
    return [...slots]
      .filter(({ uploader }) => uploader.id !== waiting.id && !(isOfUser && uploader.isAdmin))
      .filter(({ upload, takenAt }) => now - takenAt >= GRACE_MS && !upload.isComplete())
      .map((slot) => {
        const bytes = slot.upload.readBytes() - slot.bytesBefore;
        const seconds = (now - slot.takenAt) / 1000;
        const rate = bytes / seconds;
        const isTrickle = rate < BYTES_PER_SECOND_MIN;
        const isLong = seconds + (slot.upload.totalBytes - bytes) / rate > SECONDS_MAX;
        return { slot, rate, isTrickle, isLong, share: heldBy(slot.uploader) };
      })
      .filter(({ isTrickle, isLong, share: { ofAccount, ofAddress } }) => {
        const isTooMany = own.ofAddress === 0 || ofAddress > SLOTS_PER_ADDRESS;
        const isCrowded = isTooMany && isUnfair(ofAddress, own.ofAddress);
        return isTrickle || isLong || isUnfair(ofAccount, own.ofAccount) || isCrowded;
      })
      .toSorted((a, b) => {
        const byTrickle = Number(b.isTrickle) - Number(a.isTrickle);
        return byTrickle || (a.isTrickle ? 0 : compareShares(b.share, a.share)) || a.rate - b.rate;
      })[0]?.slot;
  }

  /** Ends at most one upload, for the first in turn for whom one has to make room. */
  function evictOne(): void {
    for (const { uploader } of listByTurn()) {
      if (hasSharedRoom(uploader) || !hasOwnRoom(uploader)) continue;
      const evictable = findEvictable(uploader);
      if (!evictable) continue;
      evictable.upload.end();
      return;
    }
  }

  /** An account that has all of its slots is told so; otherwise the server is busy. */
  function refusal(uploader: Uploader): AppError {
    if (!hasOwnRoom(uploader)) return tooMany(RETRY_AFTER_SECONDS);
    return new AppError(503, errorTexts.busy, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }

  /** Refuses a waiting upload of the uploader with the largest part of a full queue. Admins are few, so they may always wait. */
  function makeRoomInQueue(uploader: Uploader): boolean {
    if (queue.length < WAITING_MAX || uploader.isAdmin) return true;
    const all = [...slots, ...queue];
    const own = shareOf(uploader, all);
    const [crowding] = queue
      .map((waiting) => ({ waiting, share: shareOf(waiting.uploader, all) }))
      .filter(({ share: { ofAccount, ofAddress } }) => {
        return isUnfair(ofAccount, own.ofAccount) || isUnfair(ofAddress, own.ofAddress);
      })
      .toSorted((a, b) => compareShares(b.share, a.share));
    crowding?.waiting.refuse();
    return crowding !== undefined;
  }

  function leave(waiting: Waiting): void {
    queue = queue.filter((other) => other !== waiting);
    if (queue.length > 0) return;
    clearInterval(evictions);
    evictions = undefined;
  }

  return {
    /**
     * Waits for a slot if none is free.
     * @returns a function that releases it; further calls of that function do nothing
     * @throws 429 when the account's own uploads take too long, 503 when those of all do
     */
    acquire: async (uploader: Uploader, upload: RunningUpload): Promise<() => void> => {
      if (isFree(uploader)) return takeSlot(uploader, upload);
      if (shareOf(uploader, queue).ofAccount >= WAITING_PER_ACCOUNT_MAX || !makeRoomInQueue(uploader)) {
        throw refusal(uploader);
      }
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          uploader,
          start: () => {
            clearTimeout(timer);
            leave(waiting);
            resolve(takeSlot(uploader, upload));
          },
          refuse: () => {
            clearTimeout(timer);
            leave(waiting);
            reject(refusal(uploader));
          },
        };
        const timer = setTimeout(waiting.refuse, WAIT_MAX_MS);
        queue.push(waiting);
        if (evictions) return;
        evictions = setInterval(evictOne, EVICTION_CHECK_MS);
        evictOne();
      });
    },
  };
}
