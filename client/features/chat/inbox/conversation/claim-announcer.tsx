import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { ConversationSummary } from '#shared/api/chat.ts';

type Props = { claimedBy: ConversationSummary['claimed_by'] | undefined; currentUserId: string };

/** Tells screen readers what colleagues do with the open conversation; what was so before it opened is not news. */
export function ClaimAnnouncer({ claimedBy, currentUserId }: Props) {
  const [known, setKnown] = useState(claimedBy);
  const [text, setText] = useState('');
  if (known?.id !== claimedBy?.id || (known === undefined && claimedBy !== undefined)) {
    setKnown(claimedBy);
    if (known !== undefined) setText(changeText(known, claimedBy, currentUserId));
  }
  return (
    <VisuallyHidden>
      <output>{text}</output>
    </VisuallyHidden>
  );
}

function changeText(
  before: ConversationSummary['claimed_by'],
  after: ConversationSummary['claimed_by'],
  currentUserId: string,
): string {
  if (after && after.id !== currentUserId) return `${after.name} sekarang menangani percakapan ini`;
  if (!after && before && before.id !== currentUserId) return `${before.name} tidak lagi menangani percakapan ini`;
  return '';
}
