import {
  BYTES_PER_MB,
  USER_CHANGES_MAX,
  USER_CHANGES_PER_DAY_MAX,
  USER_CHANGES_WINDOW_MS,
  USER_MESSAGES_PER_DAY_MAX,
} from '#shared/limits.ts';
import { DAY_MS } from '#shared/durations.ts';
import { errorTexts } from '#shared/texts.ts';
import type { DiskSpace } from '../files/disk-space.ts';
import { AppError } from '../http/errors.ts';
import { createRateLimit } from '../http/limits/rate-limit.ts';

/**
 * Users leave so much of the disk to admins, or this part of a small one. It is half of what backups leave free, so that backups
 * alone never shut users out.
 */
const RESERVED_BYTES = 256 * BYTES_PER_MB;
const RESERVED_PART = 0.025;
const DISK_CHECK_MS = 5000;

/** Whether what is left of the disk belongs to admins, so that users get 507 (docs/requirements.md R-API-20). */
export const isLeftToAdmins = ({ freeBytes, totalBytes }: DiskSpace): boolean =>
  freeBytes < Math.min(RESERVED_BYTES, totalBytes * RESERVED_PART);

type Writer = { id: string; isAdmin: boolean };

type Deps = { monotonicNow: () => number; rateLimits: boolean; readSpace: () => DiskSpace | null };

/**
 * Bounds what users make the database grow by (docs/requirements.md R-API-20). Anybody can make an account, and nobody can delete an
 * audit entry. Entries are not merged instead: they stay as they were written. Admins have no such bounds.
 */
export function createUserWrites({ monotonicNow, rateLimits, readSpace }: Deps) {
  const changes = createRateLimit(USER_CHANGES_MAX, USER_CHANGES_WINDOW_MS, monotonicNow);
  const changesOfDay = createRateLimit(USER_CHANGES_PER_DAY_MAX, DAY_MS, monotonicNow);
  const messagesOfDay = createRateLimit(USER_MESSAGES_PER_DAY_MAX, DAY_MS, monotonicNow);
  let isDiskFull = false;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function checkDisk(): void {
    const nowMs = monotonicNow();
    if (nowMs - checkedAt < DISK_CHECK_MS) return;
    checkedAt = nowMs;
    const space = readSpace();
    isDiskFull = space !== null && isLeftToAdmins(space);
  }

  /** @param writer null before a registration. @throws 507 while the disk is nearly full */
  function requireSpace(writer: Pick<Writer, 'isAdmin'> | null): void {
    if (writer?.isAdmin) return;
    checkDisk();
    if (isDiskFull) throw new AppError(507, errorTexts.storageFull, { isExpected: true });
  }

  function countWith(limits: readonly ReturnType<typeof createRateLimit>[], { id, isAdmin }: Writer): void {
    if (!rateLimits || isAdmin) return;
    for (const limit of limits) limit.check(id);
    for (const limit of limits) limit.count(id);
  }

  /** Before a change that adds to the audit. @throws 429, 507 */
  function countChange(writer: Writer): void {
    requireSpace(writer);
    countWith([changes, changesOfDay], writer);
  }

  /** Inside the transaction of a new message, so that repeats do not count. @throws 429, 507 */
  function countMessage(writer: Writer): void {
    requireSpace(writer);
    countWith([messagesOfDay], writer);
  }

  return { requireSpace, countChange, countMessage };
}
export type UserWrites = ReturnType<typeof createUserWrites>;
