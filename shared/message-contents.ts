import { formatNop, formatSptNumber } from './domain/dhkp/nop.ts';
import { formatRupiah } from './domain/money/rupiah.ts';
import type { RecordStatus } from './domain/tax-records/record-values.ts';
import { statusLabels } from './labels.ts';

/** 'notice': written by the server about an act on a record. */
export const MESSAGE_KINDS = ['chat', 'notice'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Media types of files in messages, judged by their bytes. */
export const ATTACHMENT_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf'] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

export const isPhoto = (type: string): boolean => type.startsWith('image/');

/** The parts of a message beside its text. `recordYear`: the tax year of its record card. */
export type MessageContents = { photos: number; documents: number; recordYear: number | null };

export function contentsOf(message: {
  attachments: readonly { type: string }[];
  record: { then: { year: number } } | null;
}): MessageContents {
  const photos = message.attachments.filter(({ type }) => isPhoto(type)).length;
  return {
    photos,
    documents: message.attachments.length - photos,
    recordYear: message.record?.then.year ?? null,
  };
}

const PHOTO_PREFIX = 'Foto: ';
const DOCUMENT_PREFIX = 'Dokumen: ';
const RECORD_PREFIX = 'PBB ';
const PREFIXES = [PHOTO_PREFIX, DOCUMENT_PREFIX, RECORD_PREFIX];
/** Characters of a file name in the text of a message. */
const NAME_SHOWN = 80;

const wordsOfFile = ({ name, type }: { name: string; type: string }): string =>
  `${isPhoto(type) ? PHOTO_PREFIX : DOCUMENT_PREFIX}${Array.from(name).slice(0, NAME_SHOWN).join('')}`;

const wordsOfRecord = (record: { year: number; spt_number: string; amount: number; status: RecordStatus }): string =>
  `${RECORD_PREFIX}${record.year} · ${formatSptNumber(record.spt_number)} · ${formatRupiah(record.amount)} · ${statusLabels[record.status]}`;

/**
 * The text of a message with attachments: what was typed, then a line for each attachment, so that a client that shows only
 * texts loses nothing (R-FILE-20).
 */
export function writeContent(
  typed: string,
  files: readonly { name: string; type: string }[],
  record: Parameters<typeof wordsOfRecord>[0] | null,
): string {
  return [typed.trim(), ...files.map(wordsOfFile), ...(record ? [wordsOfRecord(record)] : [])]
    .filter((line) => line !== '')
    .join('\n');
}

/** The typed text, without the lines of `writeContent`. A text without all of these lines is left whole. */
export function readCaption(content: string, { photos, documents, recordYear }: MessageContents): string {
  const lineCount = photos + documents + (recordYear === null ? 0 : 1);
  if (lineCount === 0) return content;
  const lines = content.split('\n');
  const words = lines.slice(-lineCount);
  if (words.length < lineCount || !words.every((line) => PREFIXES.some((prefix) => line.startsWith(prefix)))) {
    return content;
  }
  return lines.slice(0, -lineCount).join('\n').trim();
}

const plural = (count: number, word: string): string[] =>
  count === 0 ? [] : [count === 1 ? word : `${count} ${word.toLowerCase()}`];

/** A message in one line, for a list, a notification, a transcript: 'Foto · Ini buktinya', 'Data PBB 2026' (R-FILE-50). */
export function previewMessage(content: string, contents: MessageContents): string {
  const { photos, documents, recordYear } = contents;
  const names = [
    ...plural(photos, 'Foto'),
    ...plural(documents, 'Dokumen'),
    ...(recordYear === null ? [] : [`Data PBB ${recordYear}`]),
  ];
  if (names.length === 0) return content;
  const caption = readCaption(content, contents);
  return [names.join(', '), ...(caption === '' ? [] : [caption])].join(' · ');
}

const BARE_NOP = /(?<=\b(?:NOP|SPT) )\d{18}\b/g;

/** The text of a notice as people read it: older ones were stored with the digits of a NOP alone. */
export const noticeText = (content: string): string => content.replaceAll(BARE_NOP, (digits) => formatNop(digits));

/** The typed text of a message, or the text of a notice, without the lines that name what is attached. */
export function captionOf(content: string, kind: MessageKind, contents: MessageContents): string {
  const caption = readCaption(content, contents);
  return kind === 'notice' ? noticeText(caption === '' ? content : caption) : caption;
}

/** As `previewMessage`; a notice is told by what it says. */
export const previewByKind = (content: string, kind: MessageKind, contents: MessageContents): string =>
  kind === 'notice' ? captionOf(content, kind, contents) : previewMessage(content, contents);
