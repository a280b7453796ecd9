import { errorTexts } from '#shared/texts.ts';
import { conflict } from './errors.ts';

/** `updated_at` is the version of a row: a form sends back the one that it was loaded with (R-REC-9, R-USER-5). */
type VersionedRow = { updatedAt: number };

/** @throws 409 when the row has changed since the form was loaded; a form without `updated_at` is not checked */
export function requireUnchanged(row: VersionedRow, loadedAt: string | undefined): void {
  if (loadedAt !== undefined && Date.parse(loadedAt) !== row.updatedAt) throw conflict(errorTexts.conflict);
}

/** Grows with every change, also within one millisecond and after the clock was set back. */
export function nextUpdatedAt(row: VersionedRow, nowMs: number): number {
  return Math.max(nowMs, row.updatedAt + 1);
}
