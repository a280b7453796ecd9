import type { ServiceContext } from '#server/service-context.ts';
import type { FindUpload } from '#server/uploads/upload-routes.ts';
import { findByFile } from './attachment-queries.ts';

/**
 * The files of messages among the uploads (R-FILE-9). What was not sent is for its uploader alone. What was sent is for the
 * user of the conversation and for admins, until the history or the account is deleted, or the account is an admin's: such
 * an account has no conversation.
 */
export function createAttachmentSource({ orm }: Pick<ServiceContext, 'orm'>): FindUpload {
  return (file) => {
    const found = findByFile(orm, file);
    if (!found) return null;
    const { uploaderId, messageId, userId, clearedId, isAdmin } = found;
    const isInConversation = messageId !== null && clearedId !== null && messageId > clearedId && isAdmin === false;
    return {
      mayOpen: (user) =>
        messageId === null ? user.id === uploaderId : isInConversation && (user.isAdmin || user.id === userId),
      // The small image is never saved by its name.
      name: found.file === file ? found.name : null,
    };
  };
}
