import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useLazyComponent } from '#client/ui/page/use-lazy-component.ts';
import { useConversation } from '../../session/use-chat.ts';

const loadCard = async () => (await import('./ask-push-card.tsx')).AskPushCard;

/** The id of the newest message that this person wrote; null while that is not known, '' for none. */
function useNewestOwnId(userId: string): string | null {
  const { loaded, messages } = useConversation(userId);
  if (!loaded) return null;
  return messages.findLast(({ from_admin, kind }) => !from_admin && kind !== 'notice')?._id ?? '';
}

type Props = { userId: string; onClosed: () => void };

/** The question whether to notify, once a message was sent; its code is loaded only then (R-PUSH-60). */
export function AskPush({ userId, onClosed }: Props) {
  const newestId = useNewestOwnId(userId);
  const [firstId, setFirstId] = useState(newestId);
  if (firstId === null && newestId !== null) setFirstId(newestId);
  const hasSent = firstId !== null && newestId !== null && newestId !== '' && newestId !== firstId;
  const { Component } = useLazyComponent(loadCard, 'Pertanyaan tentang notifikasi belum dapat dimuat', {
    // Over plain http there is nothing to ask for.
    wanted: hasSent && window.isSecureContext,
  });
  const [isShown, setShown] = useState(false);
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
