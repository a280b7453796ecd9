import type { Attachment } from '#shared/api/chat/chat.ts';
import type { CreateLink } from '#server/uploads/upload-links.ts';
import type { AttachmentRow, ProofOf } from './attachment-queries.ts';

/**
 * @param row without `proofOf` for a file that was not sent
 * @param linkFor makes the addresses for one session (R-FILE-7)
 */
export function presentAttachment(
  { proofOf = null, ...row }: AttachmentRow & { proofOf?: ProofOf | null },
  linkFor: CreateLink,
): Attachment {
  return {
    id: row.id,
    url: linkFor(row.file),
    thumb_url: row.thumbFile === null ? null : linkFor(row.thumbFile),
    name: row.name,
    type: row.type,
    size: row.bytes,
    width: row.width,
    height: row.height,
    proof_of: proofOf && { record_id: proofOf.recordId, year: proofOf.year },
  };
}
