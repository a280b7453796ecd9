import { Button, Progress } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { confirm } from '#client/ui/feedback/confirm.ts';
import {
  CANCELLED_TEXT,
  findHolding,
  hasFailed,
  type OutboxEntry,
  typedTextOf,
} from '../../state/model/outbox-entry.ts';
import { outboxAtom, type UploadProgress, uploadProgressAtom } from '../../state/selectors.ts';
import classes from './message-bubble.module.css';
import type { ChatSession } from '../../session/chat-session.ts';

/** The progress of an unsent message; `behindFiles`: it waits until the files of one before it are at the server. */
type EntryProgress = UploadProgress | { kind: 'waiting'; behindFiles: boolean };

function useEntryProgress(entry: OutboxEntry): EntryProgress {
  const own = useAtomValue(uploadProgressAtom)[entry.client_id];
  const behindFiles = findHolding(useAtomValue(outboxAtom), entry) !== undefined;
  return own ?? { kind: 'waiting', behindFiles };
}

/** In words, for the bubble. */
function progressText(progress: EntryProgress): string {
  if (progress.kind === 'uploading') return `Mengunggah ${progress.percent} %`;
  if (progress.kind === 'sending') return 'Mengirim…';
  return progress.behindFiles ? 'Menunggu berkas sebelumnya terkirim' : 'Menunggu dikirim';
}

/** Drops a message that is not sent. One with files asks before (R-FILE-34): they are not in the field as a text would be. */
export async function discardUnsent(
  { discard }: Pick<ChatSession, 'discard'>,
  { client_id, files }: OutboxEntry,
): Promise<boolean> {
  const isSure =
    files.length === 0 ||
    (await confirm({
      title: 'Buang pesan ini?',
      message:
        files.length === 1
          ? 'Pesan beserta berkasnya tidak akan dikirim.'
          : `Pesan beserta ${files.length} berkasnya tidak akan dikirim.`,
      confirmLabel: 'Buang',
      danger: true,
    }));
  if (isSure) discard(client_id);
  return isSure;
}

type Props = {
  entry: OutboxEntry;
  onRetry: () => void;
  onDiscard: () => void;
  /** Puts it back into its field. */
  onEdit: () => void;
  /** Stops its upload; the message stays. */
  onCancel: () => void;
  /** Takes one file out of a message that was not sent. */
  onRemoveFile: (fileId: string) => void;
};

/** Below a message that is not sent: how far it is, or why the server refused it, and what the user can do. */
export function UnsentActions(props: Props) {
  const { entry } = props;
  if (!hasFailed(entry)) return <WaitingState {...props} />;
  // The bar above the message field shows the choices for a held message, and the reason.
  if (entry.isHeld) {
    return (
      <div className={classes['actions']}>
        <span className={classes['failure']}>Belum dikirim</span>
      </div>
    );
  }
  return <Failure {...props} />;
}

/** Only for files: a text is through before anybody could read this. */
function WaitingState({ entry, onCancel }: Props) {
  const progress = useEntryProgress(entry);
  const hasFiles = entry.files.length > 0;
  if (!hasFiles && !(progress.kind === 'waiting' && progress.behindFiles)) return null;
  return (
    <div className={classes['actions']}>
      <span className={classes['progress']}>{progressText(progress)}</span>
      {progress.kind === 'uploading' ? (
        <Progress
          value={progress.percent}
          size="sm"
          className={classes['bar'] ?? ''}
          aria-label={`Mengunggah ${entry.files.length} berkas`}
        />
      ) : null}
      {entry.files.some(({ isKept }) => !isKept) ? (
        <span className={classes['progress']}>Jangan tutup halaman ini sebelum pesan terkirim.</span>
      ) : null}
      {hasFiles && progress.kind !== 'sending' ? (
        <Button variant="subtle" size="compact-sm" mih={44} onClick={onCancel}>
          Batalkan
        </Button>
      ) : null}
    </div>
  );
}

function Failure({ entry, onRetry, onDiscard, onEdit, onRemoveFile }: Props) {
  const { files, reason, state, refusedFileId } = entry;
  // Without it the rest goes on by itself; for another choice there is 'Ubah'.
  const refused = files.find(({ id }) => id === refusedFileId);
  const removable = refused ? [refused] : files;
  const isCancelled = reason === CANCELLED_TEXT;
  // Taking the only file out of an empty message is the same as dropping it.
  const isRestSendable = files.length > 1 || typedTextOf(entry) !== '' || entry.record !== null;
  const takeOut =
    state === 'failed' && isRestSendable
      ? removable.map(({ id, name }) => (
          <Button
            key={id}
            variant={refused ? 'light' : 'subtle'}
            size="compact-sm"
            mih={44}
            maw="100%"
            title={name}
            onClick={() => onRemoveFile(id)}
          >
            Keluarkan {name}
          </Button>
        ))
      : null;
  return (
    <div className={classes['actions']}>
      <span className={classes['failure']} role="alert">
        {isCancelled ? reason : 'Gagal mengirim pesan'}
        {reason && !isCancelled ? <span className={classes['reason']}>{reason}</span> : null}
      </span>
      {refused ? takeOut : null}
      <Button variant="subtle" size="compact-sm" mih={44} onClick={onRetry}>
        Coba lagi
      </Button>
      {state === 'failed' && (files.length > 0 || entry.record) ? (
        <Button variant="subtle" size="compact-sm" mih={44} onClick={onEdit}>
          Ubah
        </Button>
      ) : null}
      {refused ? null : takeOut}
      <Button variant="subtle" color="red" size="compact-sm" mih={44} onClick={onDiscard}>
        Buang
      </Button>
    </div>
  );
}
