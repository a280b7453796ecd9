import { randomUUID } from 'node:crypto';
import type { AttachmentType } from '#shared/message-contents.ts';
import { IMAGE_TYPES, type ImageExtension } from '#server/images/image-type.ts';

/** The types that are stored and served, each by the extension of its file's name. */
export const UPLOAD_TYPES = { ...IMAGE_TYPES, pdf: 'application/pdf' } as const satisfies Record<
  string,
  AttachmentType
>;
export type AttachmentExtension = ImageExtension | 'pdf';
/** Lists of the tax office, of whatever type; they are never served by a link. */
export const LIST_EXTENSION = 'list';
export type UploadExtension = AttachmentExtension | typeof LIST_EXTENSION;

/** Uploads are stored only under names of this form. */
export const UPLOAD_NAME_PATTERN =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.(jpg|png|gif|webp|pdf|list)$/;

/** A name that no other file ever gets. */
export const newUploadName = (extension: UploadExtension): string => `${randomUUID()}.${extension}`;

/** @returns the media type of a stored file by its name; null for any other name */
export function uploadTypeOf(name: string): AttachmentType | null {
  const extension = UPLOAD_NAME_PATTERN.exec(name)?.[1];
  if (extension === undefined || extension === LIST_EXTENSION) return null;
  return UPLOAD_TYPES[extension as AttachmentExtension];
}
