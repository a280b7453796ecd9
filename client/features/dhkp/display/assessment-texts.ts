import { showDateShort } from '#client/lib/format.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { conditionLabels } from '#shared/domain/dhkp/list-states.ts';

const BOOK_NUMERALS = ['I', 'II', 'III', 'IV', 'V'];

/** 'Buku III'; '-' for an object without an assessment to pay. */
export function bookText(book: number | null): string {
  return book === null ? '-' : `Buku ${BOOK_NUMERALS[book - 1] ?? book}`;
}

/** An object in the accessible name of a button or a checkbox. */
export const objectLabel = ({ name, nop_text }: Pick<Assessment, 'name' | 'nop_text'>): string =>
  name === null ? nop_text : `${name}, ${nop_text}`;

export const PAID_AT_AUTHORITY = 'Lunas (kantor pajak)';
export const NOT_LISTED = 'Tidak ada lagi';
/** Whether the newest complete file has an object. */
export const listedLabels = { 1: 'Masih ada', 0: NOT_LISTED } as const;
const NOT_ISSUED = 'Nihil';

type Status = { text: string; color: 'red' | 'yellow' | 'green' | 'gray' };

/** The one thing that stands out about an object. */
export function assessmentStatus(assessment: Assessment): Status {
  if (!assessment.listed) return { text: NOT_LISTED, color: 'red' };
  if (assessment.condition !== 'ok') return { text: conditionLabels[assessment.condition], color: 'yellow' };
  if (assessment.authority_paid) return { text: PAID_AT_AUTHORITY, color: 'green' };
  if (assessment.amount === 0) return { text: NOT_ISSUED, color: 'gray' };
  return { text: conditionLabels.ok, color: 'gray' };
}

/** When the SPPT was handed out; '-' while it was not. */
export const handedOutText = ({ handed_out_on: date }: Assessment): string => showDateShort(date);

/** The collector whom the office chose, else the one that the file names. */
export const collectorText = ({ collector, file_collector }: Assessment): string =>
  collector?.name ?? file_collector ?? '-';
