import { type RefObject, useLayoutEffect, useState } from 'react';

type Selection = { from: number; to: number };

/** Follows the cursor of a text field, and sets its selection after a change of the text. */
export function useFieldCursor(field: RefObject<HTMLTextAreaElement | null>) {
  const [cursor, setCursor] = useState<number | null>(null);
  const [wanted, setWanted] = useState<Selection | null>(null);

  // In the render with the new text, so that the places exist.
  useLayoutEffect(() => {
    if (!wanted) return;
    field.current?.focus();
    field.current?.setSelectionRange(wanted.from, wanted.to);
  }, [wanted, field]);

  return {
    cursor,
    follow: ({ selectionStart, selectionEnd }: HTMLTextAreaElement): void =>
      setCursor(selectionStart === selectionEnd ? selectionStart : null),
    forget: (): void => setCursor(null),
    /** Takes effect with the next render. */
    select: (from: number, to: number): void => {
      setWanted({ from, to });
      setCursor(from === to ? from : null);
    },
  };
}
