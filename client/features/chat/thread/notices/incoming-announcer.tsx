import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import { previewOf } from '../../previews/message-preview.ts';
import { idNumberOf } from '../../state/model/conversation.ts';

type Props = {
  messages: readonly Message[];
  /** Whether the history was loaded; what it had then is not new. */
  loaded: boolean;
  currentUserId: string;
};

/** After a long absence they are too many to be read aloud. */
const SPOKEN_AT_ONCE_MAX = 10;
/** Then a reader that goes through the page line by line does not meet the message a second time. */
const CLEAR_AFTER_MS = 5000;

type Spoken = { upToId: number | null; lines: readonly { key: string; text: string }[] };

/** The messages after `id`, in order; read from the end, because there may be thousands before it. */
function messagesAfter(messages: readonly Message[], id: number): Message[] {
  const index = messages.findLastIndex((message) => idNumberOf(message) <= id);
  return messages.slice(index + 1);
}

function spokenText(message: Message): string {
  const { text } = previewOf(message);
  const { kind, sender_name } = message;
  return kind === 'notice' ? `Pemberitahuan dari ${sender_name}: ${text}` : `${sender_name}: ${text}`;
}

function speak(spoken: Spoken, messages: readonly Message[], currentUserId: string): Spoken {
  const newest = messages.at(-1);
  const newestId = newest ? idNumberOf(newest) : 0;
  if (spoken.upToId === null) return { upToId: newestId, lines: [] };
  if (newestId <= spoken.upToId) return spoken;
  const incoming = messagesAfter(messages, spoken.upToId).filter(({ sender_id }) => sender_id !== currentUserId);
  const added =
    incoming.length > SPOKEN_AT_ONCE_MAX
      ? [{ key: `until ${newestId}`, text: `${incoming.length} pesan baru` }]
      : incoming.map((message) => ({ key: message._id, text: spokenText(message) }));
  return { upToId: newestId, lines: [...spoken.lines, ...added].slice(-SPOKEN_AT_ONCE_MAX) };
}

/**
 * Lets a screen reader speak each incoming message once. The thread itself is silent: there, ticks change, older pages are put
 * on top, and items leave the page and come back.
 */
export function IncomingAnnouncer({ messages, loaded, currentUserId }: Props) {
  const [spoken, setSpoken] = useState<Spoken>({ upToId: null, lines: [] });
  const next = loaded ? speak(spoken, messages, currentUserId) : spoken;
  if (next !== spoken) setSpoken(next);
  const hasLines = spoken.lines.length > 0;
  useEffect(() => {
    if (!hasLines) return undefined;
    const timer = setTimeout(() => setSpoken(({ upToId }) => ({ upToId, lines: [] })), CLEAR_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasLines, spoken.upToId]);
  return (
    <VisuallyHidden component="div" aria-live="polite" aria-relevant="additions">
      {spoken.lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </VisuallyHidden>
  );
}
