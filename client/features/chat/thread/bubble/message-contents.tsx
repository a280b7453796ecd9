import type { Message } from '#shared/api/chat.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { FileAsProof } from '../../cards/file-as-proof.tsx';
import { RecordCardView } from '../../cards/record-card.tsx';
import { DocumentCard } from '../../files/document-card.tsx';
import { PhotoGrid } from '../../files/photo-grid.tsx';

/** Reads a message again, for fresh links to its files; undefined where it does not exist any more. */
export type RenewMessage = (messageId: string) => Promise<Message | undefined>;

type PhotosProps = {
  message: Message | undefined;
  /** As other words of the bubble name them: 'Anda', 'Siti'. */
  sender: string;
  onOpen: ((attachmentId: string) => void) | undefined;
  onRenew: RenewMessage | undefined;
};

/** The photos of a message; nothing without any. */
export function MessagePhotos({ message, sender, onOpen, onRenew }: PhotosProps) {
  const photos = message?.attachments.filter(({ type }) => isPhoto(type)) ?? [];
  if (!message || photos.length === 0) return null;
  return (
    <PhotoGrid
      photos={photos.map(({ id, url, thumb_url, name, width, height }) => ({
        key: id,
        url: thumb_url ?? url,
        alt: `Foto dari ${sender}: ${name}`,
        width,
        height,
      }))}
      onOpen={onOpen}
      onRenew={onRenew && (async () => void (await onRenew(message._id)))}
    />
  );
}

/** What a stored message carries below its photos: what can be done with them, documents, and the card of a record. */
export function MessageContents({
  message,
  sender,
  onRenew,
}: Omit<PhotosProps, 'message' | 'onOpen'> & { message: Message }) {
  const { attachments, record } = message;

  async function renewUrl(attachmentId: string): Promise<string | null> {
    const fresh = await onRenew?.(message._id);
    return fresh?.attachments.find(({ id }) => id === attachmentId)?.url ?? null;
  }
  return (
    <>
      {attachments.map((attachment) =>
        isPhoto(attachment.type) ? (
          <FileAsProof key={attachment.id} attachment={attachment} message={message} />
        ) : (
          <DocumentCard
            key={attachment.id}
            name={attachment.name}
            size={attachment.size}
            sender={sender}
            url={attachment.url}
            onRenew={() => renewUrl(attachment.id)}
          />
        ),
      )}
      {record ? <RecordCardView card={record} message={message} /> : null}
    </>
  );
}
