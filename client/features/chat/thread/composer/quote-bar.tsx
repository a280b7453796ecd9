import { CloseButton, Group } from '@mantine/core';
import type { RefObject } from 'react';
import type { Quote } from '../../state/model/outbox-entry.ts';
import { QuotedBlock } from '../bubble/quoted-block.tsx';

type Props = {
  quote: Quote | null;
  currentUserId: string;
  /** Gets the focus back. */
  field: RefObject<HTMLElement | null>;
  onCancel: () => void;
};

/** Above the field: the message that the next one quotes. */
export function QuoteBar({ quote, currentUserId, field, onCancel }: Props) {
  if (!quote) return null;
  return (
    <Group
      component="section"
      gap="0.25rem"
      wrap="nowrap"
      pb="0.5rem"
      style={{ gridColumn: '1 / -1' }}
      aria-label="Pesan yang dikutip"
    >
      <QuotedBlock quote={quote} currentUserId={currentUserId} />
      <CloseButton
        size={44}
        iconSize={20}
        aria-label="Batal mengutip"
        onClick={() => {
          onCancel();
          field.current?.focus();
        }}
      />
    </Group>
  );
}
