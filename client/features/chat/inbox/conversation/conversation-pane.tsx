import { useEffect, useRef } from 'react';
import { ApiError } from '#client/lib/api-error.ts';
import { Composer } from '../../thread/composer.tsx';
import { ConnectionLine } from '../../thread/connection-line.tsx';
import { Thread } from '../../thread/thread.tsx';
import type { ChatClient } from '../../session/client.ts';
import { useConversation, useOutbox, useViewers } from '../../session/use-chat.ts';
import { useConnectionState } from '../use-connection-state.ts';
import { ConversationHead } from './conversation-head.tsx';
import classes from './conversation.module.css';
import { usePerson } from './use-person.ts';
import { ViewersLine } from './viewers-line.tsx';

type Props = {
  client: ChatClient;
  userId: string;
  alone: boolean;
  /** How often the message field was asked to take the focus; 0: leave it where it is. */
  wantsField: number;
  onBack: () => void;
};

/** The right side of the desk: one conversation, for one administrator among several. */
export function ConversationPane({ client, userId, alone, wantsField, onBack }: Props) {
  const person = usePerson(userId);
  const viewers = useViewers(userId).filter(({ id }) => id !== client.identity.selfId);

  const { loaded, error } = useConversation(userId);
  // A link to somebody who is not there (any more), or to an administrator: nothing can be written to them.
  const unreachable = !loaded && error instanceof ApiError && (error.status === 404 || error.status === 403);
  const field = useRef<HTMLTextAreaElement>(null);
  const offline = useConnectionState() === 'offline';
  const waiting = useOutbox(userId).filter(({ state }) => state === 'waiting').length;

  useEffect(() => {
    if (wantsField > 0) field.current?.focus({ preventScroll: true });
  }, [wantsField]);
  useEffect(() => {
    client.view(userId);
    return () => client.view(null);
  }, [client, userId]);

  return (
    <section className={classes['pane']} aria-label={`Percakapan dengan ${person.name}`}>
      <ConversationHead client={client} userId={userId} person={person} alone={alone} onBack={onBack} />
      <ViewersLine viewers={viewers} />
      <Thread
        client={client}
        userId={userId}
        label={`Pesan dengan ${person.name}`}
        emptyTitle="Tidak ada pesan"
        emptyText="Mulai percakapan dengan user ini"
        showSenders
      />
      {unreachable ? null : (
        <>
          <ConnectionLine offline={offline} waiting={waiting} />
          <Composer ref={field} client={client} userId={userId} placeholder="Tulis pesan..." />
        </>
      )}
    </section>
  );
}
