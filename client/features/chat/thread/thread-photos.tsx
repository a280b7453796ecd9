import { useMemo } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { showDateTime } from '#client/lib/format.ts';
import { PhotoViewer } from '#client/ui/viewer/photo-viewer.tsx';
import type { ViewerPhoto } from '#client/ui/viewer/viewer-photo.ts';
import type { RenewMessage } from './bubble/message-contents.tsx';

type Props = {
  /** All that are loaded: one moves between all of their photos. */
  messages: readonly Message[];
  currentUserId: string;
  /** The photo in full size, by the id of its file; null for none. */
  openId: string | null;
  onMove: (attachmentId: string) => void;
  onClose: () => void;
  onRenew: RenewMessage;
};

function photosOf(message: Message, currentUserId: string): ViewerPhoto[] {
  const sender = message.sender_id === currentUserId ? 'Anda' : message.sender_name;
  return message.attachments
    .filter(({ type }) => isPhoto(type))
    .map(({ id, url, thumb_url, name, width, height }) => ({
      key: id,
      url,
      thumbUrl: thumb_url,
      name,
      alt: `Foto dari ${sender}: ${name}`,
      caption: `${name} · ${sender} · ${showDateTime(message.createdAt)}`,
      width,
      height,
    }));
}

const noPhotos: readonly ViewerPhoto[] = [];

/** The photos of a conversation in full size (R-FILE-53). */
export function ThreadPhotos({ messages, currentUserId, openId, onMove, onClose, onRenew }: Props) {
  const isOpen = openId !== null;
  const photos = useMemo(
    () => (isOpen ? messages.flatMap((message) => photosOf(message, currentUserId)) : noPhotos),
    [isOpen, messages, currentUserId],
  );

  async function renew(attachmentId: string): Promise<void> {
    const message = messages.find(({ attachments }) => attachments.some(({ id }) => id === attachmentId));
    if (message) await onRenew(message._id);
  }
  return <PhotoViewer photos={photos} openKey={openId} onMove={onMove} onClose={onClose} onRenew={renew} />;
}
