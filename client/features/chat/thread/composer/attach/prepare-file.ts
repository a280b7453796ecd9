import { ATTACHMENT_MAX_BYTES } from '#shared/limits.ts';
import { ATTACHMENT_TYPES } from '#shared/message-contents.ts';
import type { PreparedFile } from '../../../outbox/files/outbox-file.ts';
import { shrinkPhoto } from '../../../files/shrink-photo.ts';
import { attachTexts } from './attach-texts.ts';
import { type FileKind, readFileKind } from './file-kind.ts';

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
