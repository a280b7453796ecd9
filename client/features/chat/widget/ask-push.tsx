import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { idNumberOf, lastIdNumber } from '../state/model/conversation.ts';
import { useConversation } from '../session/use-chat.ts';

const loadCard = async () => (await import('./ask-push-card.tsx')).AskPushCard;

/** The accounts that sent a message since the page was loaded. Who closes the panel at once is asked at the next opening. */
const senderIds = new Set<string>();

/** Whether this person has sent a message since the panel was opened first. */
function useHasSent(userId: string): boolean {
  const conversation = useConversation(userId);
  const [lastIdBefore, setLastIdBefore] = useState<number | null>(null);
  if (lastIdBefore === null && conversation.loaded) setLastIdBefore(lastIdNumber(conversation));
  const newestOwn = conversation.messages.findLast(({ from_admin, kind }) => !from_admin && kind !== 'notice');
  const hasSent = lastIdBefore !== null && newestOwn !== undefined && idNumberOf(newestOwn) > lastIdBefore;
  useEffect(() => {
    if (hasSent) senderIds.add(userId);
  }, [hasSent, userId]);
  return hasSent || senderIds.has(userId);
}

type Props = { userId: string; onClosed: () => void };

/** The question whether to notify, once a message was sent; its code is loaded only then (R-PUSH-60). */
export function AskPush({ userId, onClosed }: Props) {
  const hasSent = useHasSent(userId);
  const [isShown, setShown] = useState(false);
  const { Component } = useLazyComponent(loadCard, {
    // Over plain http there is nothing to ask for.
    wanted: hasSent && window.isSecureContext,
  });
  return (
    <>
      <VisuallyHidden component="output">{isShown ? 'Ada pertanyaan di atas kolom pesan.' : ''}</VisuallyHidden>
      {Component ? (
        <Component
          userId={userId}
          onShown={() => setShown(true)}
          onClosed={() => {
            setShown(false);
            onClosed();
          }}
        />
      ) : null}
    </>
  );
}
