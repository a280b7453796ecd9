import { useEffect, useState } from 'react';
import { type DraftMode, onDraftChange, readDraft, writeDraft } from '../../drafts/drafts.ts';

/**
 * The text of a message field, kept as the draft of its conversation. It follows the other tabs of this browser, so that a
 * text sent in one of them cannot be sent here again. A text that differs from the draft that this tab knows stays.
 */
export function useDraft(
  currentUserId: string,
  userId: string,
  mode: DraftMode = 'answer',
): [text: string, setText: (text: string) => void] {
  // `known` is the draft as this tab last read or stored it, so what the other tabs know, too.
  const [{ text }, setField] = useState(() => {
    const known = readDraft(currentUserId, userId, mode);
    return { text: known, known };
  });

  useEffect(
    () =>
      onDraftChange(currentUserId, userId, mode, {
        onOtherTab: () => {
          const stored = readDraft(currentUserId, userId, mode);
          setField((field) => {
            if (field.known === stored) return field;
            return { text: field.text === field.known ? stored : field.text, known: stored };
          });
        },
        onChanged: () => {
          const stored = readDraft(currentUserId, userId, mode);
          setField({ text: stored, known: stored });
        },
      }),
    [currentUserId, userId, mode],
  );

  function setText(value: string): void {
    const isStored = writeDraft(currentUserId, userId, value, mode);
    setField(({ known }) => ({ text: value, known: isStored ? value : known }));
  }

  return [text, setText];
}
