import type { Attachment } from '#shared/api/chat.ts';
import type { CreateLink } from '#server/uploads/upload-links.ts';
import type { AttachmentRow } from './attachment-queries.ts';

/** @param linkFor makes the addresses for one session (R-FILE-7) */
export function presentAttachment(row: AttachmentRow, linkFor: CreateLink): Attachment {
  return {
    id: row.id,
    url: linkFor(row.file),
    thumb_url: row.thumbFile === null ? null : linkFor(row.thumbFile),
    name: row.name,
    type: row.type,
    size: row.bytes,
    width: row.width,
    height: row.height,
  };
}
