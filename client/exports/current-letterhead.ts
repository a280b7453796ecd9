import { type Letterhead, letterheadOf } from '#client/lib/letterhead.ts';
import { readOfficeIdentity } from '#client/lib/office-identity.ts';

/** The letterhead of all reports. Only for the page: the worker has no storage. */
export const currentLetterhead = (): Letterhead => letterheadOf(readOfficeIdentity());
