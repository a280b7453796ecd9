import { useEffect, useRef, useState } from 'react';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { fillQuickReply } from '#client/features/quick-replies/api.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import type { ReplyToken } from './reply-token.ts';

export type FilledReply = { text: string; missing: string[]; token: ReplyToken };

type State =
  | { kind: 'idle' }
  | { kind: 'busy'; title: string }
  | { kind: 'failed'; title: string; error: string; retry: () => void };

/** Asks the server for the text of a quick reply. What was typed stays until the text is there. */
export function useFillReply(userId: string, onFilled: (filled: FilledReply) => void) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  /** A later choice, Escape and the end of the component make an answer void. */
  const current = useRef(0);
  useEffect(() => () => void (current.current += 1), []);

  async function fill(reply: QuickReply, token: ReplyToken): Promise<void> {
    const { id, title } = reply;
    current.current += 1;
    const call = current.current;
    setState({ kind: 'busy', title });
    try {
      const filled = await fillQuickReply(id, userId);
      if (call !== current.current) return;
      setState({ kind: 'idle' });
      onFilled({ ...filled, token });
    } catch (error) {
      if (call !== current.current) return;
      const text = messageOf(error, hintOf(error) ?? 'Periksa koneksi, lalu coba lagi.');
      setState({ kind: 'failed', title, error: text, retry: () => void fill(reply, token) });
    }
  }

  return {
    state,
    fill: (reply: QuickReply, token: ReplyToken): void => void fill(reply, token),
    cancel: (): void => {
      current.current += 1;
      setState({ kind: 'idle' });
    },
  };
}
