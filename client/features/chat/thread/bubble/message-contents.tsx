import type { Message } from '#shared/api/chat/chat.ts';
import type { RecordCard } from '#shared/api/tax-records/record-card.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { FileAsProof } from '../../cards/file-as-proof.tsx';
import { RecordCardView } from '../../cards/record-card.tsx';
import { DocumentCard } from '../../files/document-card.tsx';
import { PhotoGrid } from '../../files/photo-grid.tsx';
import type { ShownPhoto } from '../../files/photo-tile.tsx';
import { firstIdOf } from '../../files/local-files.ts';
import type { OutboxRecord } from '../../files/outbox-file.ts';
import type { OutboxEntry } from '../../state/model/outbox-entry.ts';

/** Reads a message again, for fresh links to its files; undefined where it does not exist any more. */
export type RenewMessage = (messageId: string) => Promise<Message | undefined>;

type PhotosProps = {
  /** A stored message, or one that is not sent yet; neither where nothing is attached. */
  message: Message | undefined;
  entry: OutboxEntry | undefined;
  /** As other words of the bubble name them: 'Anda', 'Siti'. */
  sender: string;
  onOpen: ((attachmentId: string) => void) | undefined;
  onRenew: RenewMessage | undefined;
};

const altOf = (sender: string, name: string): string => `Foto dari ${sender}: ${name}`;

function storedPhotos({ attachments }: Message, sender: string): ShownPhoto[] {
  return attachments
    .filter(({ type }) => isPhoto(type))
    .map(({ id, url, thumb_url, name, width, height }) => ({
      id,
      key: firstIdOf(id),
      url: thumb_url ?? url,
      alt: altOf(sender, name),
      width,
      height,
    }));
}

function unsentPhotos({ files, refusedFileId }: OutboxEntry, sender: string): ShownPhoto[] {
  return files
    .filter(({ type }) => isPhoto(type))
    .map(({ id, name, width, height, hasThumb }) => ({
      id,
      key: id,
      url: null,
      local: { id, part: hasThumb ? 'thumb' : 'file' },
      isRefused: id === refusedFileId,
      alt: altOf(sender, name),
      width,
      height,
    }));
}

/** The photos of a message; the same elements before and after it is stored, so that they do not flicker. */
export function MessagePhotos({ message, entry, sender, onOpen, onRenew }: PhotosProps) {
  const photos = message ? storedPhotos(message, sender) : entry ? unsentPhotos(entry, sender) : [];
  if (photos.length === 0) return null;
  return (
    <PhotoGrid
      photos={photos}
      onOpen={message && onOpen}
      onRenew={message && onRenew && (async () => void (await onRenew(message._id)))}
    />
  );
}

type ContentsProps = { message: Message; sender: string; onRenew: RenewMessage | undefined };

/** The contents of a stored message below its photos: buttons for the photos, documents, and the card of a record. */
export function MessageContents({ message, sender, onRenew }: ContentsProps) {
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

/** The same of a message that is not sent yet. */
export function UnsentContents({ entry }: { entry: OutboxEntry }) {
  const { files, record, user_id } = entry;
  return (
    <>
      {files.map(({ id, type, name, bytes }) =>
        isPhoto(type) ? null : <DocumentCard key={id} name={name} size={bytes} sender="Anda" url={null} />,
      )}
      {record ? <RecordCardView card={toCard(record)} message={{ user_id }} /> : null}
    </>
  );
}

function toCard({ id, ...fields }: OutboxRecord): RecordCard {
  const verification = { state: 'none', at: null, by_name: null, reason: null } as const;
  // oxlint-disable-next-line unicorn/no-thenable -- an object and no function
  return { id, now: { ...fields, has_proof: false, verification }, then: fields };
}
