import { type KeyboardEvent, type RefObject, useState, useLayoutEffect } from 'react';
import type { Placeholder } from '#shared/domain/reply-template.ts';
import { useReloadQuickReplies } from '#client/features/quick-replies/display/use-reload-quick-replies.ts';
import { type FilledReply, useFillReply } from './fill-reply.tsx';
import { useMissingParts } from './missing-parts.tsx';
import { PICKER_ATTRIBUTE, useReplyPicker } from './use-reply-picker.ts';

type Selection = { from: number; to: number };

/** Follows the cursor of a text field, and sets its selection after a change of the text. */
function useFieldCursor(field: RefObject<HTMLTextAreaElement | null>) {
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

/**
 * Replaces a part of a text field as if it were typed, so that Ctrl+Z takes it back and the field's own handlers see it.
 * @returns false where the browser cannot; the field may have changed all the same
 */
function insertText(field: HTMLTextAreaElement, from: number, to: number, text: string): boolean {
  const expected = field.value.slice(0, from) + text + field.value.slice(to);
  field.focus({ preventScroll: true });
  field.setSelectionRange(from, to);
  try {
    // Nothing else writes into the history of the field.
    // oxlint-disable-next-line typescript/no-deprecated
    return document.execCommand('insertText', false, text) && field.value === expected;
  } catch {
    return false;
  }
}

type Options = {
  currentUserId: string;
  userId: string;
  text: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Sets the text of the field. */
  change: (text: string) => void;
};

/** The quick replies of a field: choosing one at the cursor, having it filled in, and what it left open. */
export function useQuickReply({ currentUserId, userId, text, field, change }: Options) {
  const missing = useMissingParts(currentUserId, userId, text);
  const [isReminded, setReminded] = useState(false);
  const cursor = useFieldCursor(field);
  const filling = useFillReply(userId, insert);
  useReloadQuickReplies();
  const picker = useReplyPicker({
    text,
    cursor: cursor.cursor,
    isEnabled: filling.state.kind !== 'busy',
    onChoose: filling.fill,
    onDismiss: dropLoneSlash,
  });

  /** A '/' that led to no reply is not a message. @returns whether there was one */
  function dropLoneSlash(): boolean {
    const slash = picker.loneSlash;
    const value = field.current?.value ?? text;
    if (!slash || value.slice(slash.from, slash.to) !== '/') return false;
    change(value.slice(0, slash.from) + value.slice(slash.to));
    return true;
  }

  function close(): void {
    dropLoneSlash();
    cursor.forget();
  }

  /** Replaces what was typed for it, or stands at the cursor when that has changed meanwhile. */
  function insert({ text: filled, missing: names, token }: FilledReply): void {
    const value = field.current?.value ?? text;
    const isThere = value.slice(token.from, token.to) === `/${token.query}`;
    const at = field.current?.selectionStart ?? value.length;
    const [from, to] = isThere ? [token.from, token.to] : [at, at];
    missing.add(names);
    replacePart(value, from, to, filled);
  }

  function replacePart(value: string, from: number, to: number, replacement: string): void {
    // When it works, the field reports the change itself.
    if (!field.current || !insertText(field.current, from, to, replacement))
      change(value.slice(0, from) + replacement + value.slice(to));
    cursor.select(from + replacement.length, from + replacement.length);
  }

  function selectPart({ from, to }: Placeholder): void {
    field.current?.focus();
    field.current?.setSelectionRange(from, to);
  }

  return {
    picker,
    filling,
    missing,
    isReminded,
    cursor,
    selectPart,
    /** The link in the list was followed. */
    close,
    /** The focus leaves the field or the list. @param next where it goes */
    leave: (next: EventTarget | null): void => {
      const isKept = next instanceof Element && (next === field.current || next.closest(`[${PICKER_ATTRIBUTE}]`));
      if (!isKept) close();
    },
    focusField: (): void => field.current?.focus(),
    /** Nothing is left open any more. */
    forget(): void {
      missing.clear();
      setReminded(false);
    },
    /** @returns whether the text can go out; otherwise the first open part is selected */
    isComplete(): boolean {
      if (filling.state.kind === 'busy' || dropLoneSlash()) return false;
      const [first] = missing.open;
      if (!first) return true;
      setReminded(true);
      selectPart(first);
      return false;
    },
    /** @returns whether the key was used up */
    handleKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
      if (picker.handleKey(event)) return true;
      if (event.key !== 'Escape' || filling.state.kind === 'idle') return false;
      filling.cancel();
      return true;
    },
    /** For those without a '/' at hand; again closes it. */
    openPicker(): void {
      if (picker.isOpen) return close();
      const value = field.current?.value ?? text;
      const at = field.current?.selectionStart ?? value.length;
      const slash = at === 0 || /\s/.test(value.charAt(at - 1)) ? '/' : ' /';
      replacePart(value, at, at, slash);
    },
  };
}
