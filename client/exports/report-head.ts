import { showDateTime } from '#client/lib/format.ts';
import { letterheadOf } from '#client/lib/office/letterhead.ts';
import { readOfficeIdentity } from '#client/lib/office/office-identity.ts';
import type { ReportDocument } from './report-document.ts';

export type ReportHead = Pick<ReportDocument, 'letterhead' | 'details' | 'printedAt'>;

/** The head of every report, in files and prints. Only the page can make it: the worker has no storage. */
export function reportHead(details: ReportDocument['details'], nowMs: number): ReportHead {
  return {
    letterhead: letterheadOf(readOfficeIdentity()),
    details,
    printedAt: showDateTime(new Date(nowMs).toISOString()),
  };
}
