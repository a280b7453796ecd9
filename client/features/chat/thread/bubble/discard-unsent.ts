import { confirm } from '#client/ui/feedback/confirm.ts';
import type { OutboxEntry } from '../../outbox/outbox-storage.ts';
import type { ChatSession } from '../../session/chat-session.ts';

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
