import type { WidgetProps } from './chat-mount.tsx';
import { useMediaQuery } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { totalUnreadAtom } from '../session/state.ts';
import { useChatClient } from '../session/use-chat.ts';
import { askForDesktop } from '../notifications/desktop.ts';
import { Launcher } from './launcher.tsx';
import { useBackCloses } from './use-back-closes.ts';
import { usePanel } from './use-panel.ts';

/** Where there is no room for a page beside the chat, the chat takes the whole screen. */
const SMALL_SCREEN = '(max-width: 36em), (max-height: 30em)';

/** The resident's chat: a floating button and the panel it opens. */
export function ChatWidget({ onRecordChange }: WidgetProps) {
  const client = useChatClient();
  const unread = useAtomValue(totalUnreadAtom);
  const small = useMediaQuery(SMALL_SCREEN, false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const launcher = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  const wasOpen = useRef(false);

  const close = useCallback(() => setOpen(false), []);
  const panel = usePanel(open, close);
  const shown = open && client !== null && panel !== null;
  useBackCloses(shown && small, close);
  useEffect(() => client?.onOpenRequest(() => setOpen(true)), [client]);
  useEffect(() => (onRecordChange ? client?.onRecordChange(onRecordChange) : undefined), [client, onRecordChange]);
  // The button may only have come back with this drawing.
  useEffect(() => {
    if (wasOpen.current && !open) launcher.current?.focus();
    wasOpen.current = open;
  }, [open]);

  return (
    <>
      {shown ? <panel.Component client={client} id={panelId} full={small} onClose={close} /> : null}
      {shown && small ? null : (
        <Launcher
          ref={launcher}
          open={shown}
          loading={open && !shown}
          unread={unread}
          panelId={panelId}
          onClick={() => {
            // Residents have no settings for it: opening the chat is their wish to hear of answers.
            if (!open) askForDesktop();
            setOpen(!open);
          }}
        />
      )}
    </>
  );
}
