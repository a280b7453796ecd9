import { todayIn } from '#shared/domain/dates/dates.ts';
import type { OwnAttachmentRow, OwnRecordRow } from './own-data-queries.ts';

/** The names of the files in a copy; each says what it is, and none is there twice. */

const PROOFS_FOLDER = 'bukti-pembayaran';
const CONVERSATION_FOLDER = 'berkas-percakapan';
/** Some systems unpack no longer names. */
const NAME_MAX = 80;

/** Keeps letters, digits and what no system forbids or reads as a folder. */
const safe = (text: string): string =>
  Array.from(text.replaceAll(/[^\p{L}\p{N}._ -]+/gu, '-').replaceAll(/\.{2,}/g, '.'))
    .slice(0, NAME_MAX)
    .join('')
    .replaceAll(/^[ .-]+|[ .-]+$/g, '');
const endingOf = (file: string): string => file.slice(file.lastIndexOf('.'));
const withoutEnding = (name: string): string => name.replace(/\.[^.]*$/, '');

/** @param number of the record, from 1 */
export const proofName = ({ year, sptNumber }: OwnRecordRow, file: string, number: number): string =>
  `${PROOFS_FOLDER}/PBB ${year} ${safe(sptNumber)} (data ${number})${endingOf(file)}`;

export const attachmentName = ({ messageId, position, name, file, createdAt }: OwnAttachmentRow, timeZone: string) =>
  `${CONVERSATION_FOLDER}/${todayIn(timeZone, createdAt)} ${safe(withoutEnding(name))} (pesan ${messageId}-${position + 1})${endingOf(file)}`;
