import { Button, Group, Loader, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { fillQuickReply } from '#client/features/quick-replies/api.ts';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import type { ReplyToken } from './use-reply-picker.ts';

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

/** Over all columns of the form. */
export const BELOW_FIELD = { gridColumn: '1 / -1' } as const;

/** Below the field: a quick reply is being filled in, or could not be. */
export function FillNotice({ filling: { state, cancel } }: { filling: ReturnType<typeof useFillReply> }) {
  if (state.kind === 'idle') return null;
  if (state.kind === 'busy') {
    return (
      <Group component="output" gap="0.25rem 0.5rem" pt="0.375rem" fz="sm" style={BELOW_FIELD}>
        <Loader size="xs" aria-hidden /> Mengisi “{state.title}” dengan data warga…
      </Group>
    );
  }
  return (
    <Group gap="0.25rem 0.5rem" pt="0.375rem" fz="sm" style={BELOW_FIELD} role="alert">
      <Text span inherit fw={500} c="var(--mantine-color-error)">
        “{state.title}” gagal disisipkan. {state.error}
      </Text>
      <Button variant="subtle" size="compact-sm" mih={44} onClick={state.retry}>
        Coba lagi
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" mih={44} onClick={cancel}>
        Tutup
      </Button>
    </Group>
  );
}
