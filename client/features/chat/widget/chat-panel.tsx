import { CloseButton, FocusTrap, Title } from '@mantine/core';
import { useEffect, useId } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { Composer } from '../thread/composer.tsx';
import { ConnectionLine } from '../thread/connection-line.tsx';
import { Thread } from '../thread/thread.tsx';
import type { ChatClient } from '../session/client.ts';
import { useConversation, useOutbox } from '../session/use-chat.ts';
import classes from './chat-panel.module.css';
import { ConnectionDot, useConnectionWord } from './connection-dot.tsx';
import { useVisibleArea } from './use-visible-area.ts';

type Props = {
  client: ChatClient;
  id: string;
  /** On a small screen: the whole of it. */
  full: boolean;
  onClose: () => void;
};

const greeted = new WeakSet<ChatClient>();

/** Says once per visit that the chat works, to somebody who has not written yet (specification 2.3). */
function useGreeting(client: ChatClient): void {
  const { loaded, messages } = useConversation(client.identity.selfId);
  const unsent = useOutbox(client.identity.selfId).length;
  useEffect(() => {
    if (!loaded || greeted.has(client)) return;
    greeted.add(client);
    if (messages.length + unsent === 0) notify.success('Chat siap! Anda akan mendapat notifikasi untuk pesan baru.');
  }, [client, loaded, messages.length, unsent]);
}

/** What lies under a panel that takes the whole screen must not scroll with it. */
function useStillPage(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    return () => void (document.body.style.overflow = overflow);
  }, [active]);
}

/** The resident's conversation with the office. */
export function ChatPanel({ client, id, full, onClose }: Props) {
  const { selfId } = client.identity;
  const titleId = useId();
  const area = useVisibleArea(full);
  const word = useConnectionWord();
  const waiting = useOutbox(selfId).filter(({ state }) => state === 'waiting').length;
  useGreeting(client);
  useStillPage(full);

  return (
    <FocusTrap active={full}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes from wherever the focus is inside */}
      <dialog
        open
        id={id}
        aria-modal={full || undefined}
        aria-labelledby={titleId}
        className={`${classes['panel']} no-print`}
        data-full={full || undefined}
        style={area ? { top: area.top, height: area.height } : undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <header className={classes['header']}>
          <div className={classes['heading']}>
            <Title order={2} id={titleId} className={classes['title'] ?? ''}>
              Live Chat
            </Title>
            <ConnectionDot word={word} />
          </div>
          <CloseButton
            size={44}
            iconSize={22}
            className={classes['close'] ?? ''}
            aria-label="Tutup Live Chat"
            // On a phone the field would bring up the keyboard over what there is to read.
            data-autofocus={full || undefined}
            onClick={onClose}
          />
        </header>
        <Thread
          client={client}
          userId={selfId}
          label="Percakapan dengan admin"
          emptyTitle="Mulai percakapan dengan admin"
          emptyText="Tanyakan apa saja tentang PBB Anda. Petugas kami menjawab di sini."
          showSenders
        />
        <ConnectionLine offline={word === 'Offline'} waiting={waiting} />
        <Composer client={client} userId={selfId} placeholder="Ketik pesan..." autoFocus={!full} />
      </dialog>
    </FocusTrap>
  );
}
