import { ATTACHMENT_MAX_BYTES } from '#shared/limits.ts';
import { ATTACHMENT_TYPES } from '#shared/message-contents.ts';
import type { PreparedFile } from '../../files/outbox-file.ts';
import { shrinkPhoto } from '../../files/shrink-photo.ts';
import { attachTexts } from './attach-texts.ts';

/** The type of a file by its first bytes. `image`: the browser calls it one, and may be able to read it. */
type FileKind = 'photo' | 'pdf' | 'heic' | 'image' | 'other' | 'empty';

const HEAD_BYTES = 16;
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** The bytes as characters, each of them one. */
const textOf = (bytes: Uint8Array): string => String.fromCodePoint(...bytes);

/** @returns null when the file cannot be read, for example one that lies only in a cloud */
async function readFileKind(file: File): Promise<FileKind | null> {
  if (file.size === 0) return 'empty';
  try {
    const head = textOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
    if (head.startsWith('\u{FF}\u{D8}\u{FF}') || head.startsWith('\u{89}PNG\r\n') || head.startsWith('GIF8'))
      return 'photo';
    if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'photo';
    if (head.startsWith('%PDF-')) return 'pdf';
    if (head.slice(4, 8) === 'ftyp' && HEIC_BRANDS.has(head.slice(8, 12))) return 'heic';
    return file.type.startsWith('image/') ? 'image' : 'other';
  } catch {
    return null;
  }
}

const isSendable = (type: string): boolean => ATTACHMENT_TYPES.some((known) => known === type);

/** A file whose bytes are no photo that may be sent, although its name or type says so: it must not pass for one. */
function withoutClaim(file: File, kind: FileKind): File {
  if ((kind !== 'heic' && kind !== 'image') || !isSendable(file.type)) return file;
  return new File([file], file.name, { type: kind === 'heic' ? 'image/heic' : 'image/x-unknown' });
}

/** Looks at a chosen file and makes a photo smaller. @returns the file, or in words why it cannot be sent */
export async function prepareFile(file: File): Promise<PreparedFile | string> {
  const { name, size } = file;
  const kind = await readFileKind(file);
  if (kind === null) return attachTexts.unreadable(name);
  if (kind === 'empty') return attachTexts.empty(name);
  if (kind === 'other') return attachTexts.wrongType(name);
  if (kind === 'pdf') {
    if (size > ATTACHMENT_MAX_BYTES) return attachTexts.pdfTooLarge(name, size);
    // Its ending may say something else, and so may its type.
    const document = file.type === 'application/pdf' ? file : new File([file], name, { type: 'application/pdf' });
    return { file: document, thumb: null, width: null, height: null };
  }
  const prepared = await shrinkPhoto(withoutClaim(file, kind));
  if (kind === 'heic' && !isSendable(prepared.file.type)) return attachTexts.heic(name);
  if (kind === 'image' && !isSendable(prepared.file.type)) return attachTexts.unreadableImage(name);
  if (prepared.file.size > ATTACHMENT_MAX_BYTES) return attachTexts.photoTooLarge(name, prepared.file.size);
  return prepared;
}
