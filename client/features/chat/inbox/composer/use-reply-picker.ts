import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { quickRepliesQuery } from '#client/features/quick-replies/api.ts';
import { searchReplies } from '#client/features/quick-replies/display/search-replies.ts';
import { isComposing } from '../../thread/composer/composer-form.tsx';

/** The part of the text before the cursor that begins a quick reply: '/' at the start of a word, and the letters after it. */
export type ReplyToken = { from: number; to: number; query: string };

const TOKEN = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u;

function findReplyToken(text: string, cursor: number): ReplyToken | null {
  const query = TOKEN.exec(text.slice(0, cursor))?.[1];
  return query === undefined ? null : { from: cursor - query.length - 1, to: cursor, query };
}

/** On the element around the list: the focus may go there without closing it. */
export const PICKER_ATTRIBUTE = 'data-reply-picker';

/** The list is for choosing, not for reading through. */
const SHOWN_MAX = 50;

type Options = {
  text: string;
  /** The place of the cursor; null while text is selected or the field has no focus. */
  cursor: number | null;
  isEnabled: boolean;
  onChoose: (reply: QuickReply, token: ReplyToken) => void;
  /** The list was closed by Escape, without a choice. */
  onDismiss: () => void;
};

/** The list of quick replies at the cursor, as a combobox: the focus stays in the field. */
export function useReplyPicker({ text, cursor, isEnabled, onChoose, onDismiss }: Options) {
  const listId = useId();
  /** The start of the word at which Escape closed the list; it stays closed for that word. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [active, setActive] = useState({ query: '', index: 0 });
  const token = isEnabled && cursor !== null ? findReplyToken(text, cursor) : null;
  if (token?.from !== closedAt && closedAt !== null) setClosedAt(null);
  const isOpen = token !== null && token.from !== closedAt;
  const { data, error, refetch } = useQuery({ ...quickRepliesQuery, enabled: isOpen });
  const query = token?.query ?? '';
  const found = data && isOpen ? searchReplies(data, query).slice(0, SHOWN_MAX) : [];
  // Another search begins at its best result.
  const activeIndex = active.query === query ? Math.min(active.index, Math.max(found.length - 1, 0)) : 0;
  const optionIdOf = (index: number): string => `${listId}-${index}`;

  function move(index: number): void {
    setActive({ query, index });
    document.getElementById(optionIdOf(index))?.scrollIntoView({ block: 'nearest' });
  }

  function choose(index: number): void {
    const reply = found[index];
    if (reply && token) onChoose(reply, token);
  }

  /** @returns whether the key was used up */
  function handleKey(event: KeyboardEvent): boolean {
    if (!isOpen || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    if (event.key === 'Escape') {
      setClosedAt(token.from);
      onDismiss();
      return true;
    }
    // The text asks for a quick reply, so Enter does not send it before the list has come.
    if (event.key === 'Enter' && !data && !error) return true;
    if (found.length === 0) {
      // A lone '/' asks for the list, too. What is typed after it may be meant as text.
      const isForLink = event.key === 'Tab' || event.key === 'ArrowDown' || (event.key === 'Enter' && query === '');
      const link = isForLink ? document.querySelector<HTMLElement>(`[${PICKER_ATTRIBUTE}] :is(a, button)`) : null;
      link?.focus();
      return link !== null;
    }
    if (event.key === 'ArrowDown') move((activeIndex + 1) % found.length);
    else if (event.key === 'ArrowUp') move((activeIndex - 1 + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(activeIndex);
    else return false;
    return true;
  }

  return {
    isOpen,
    /** The '/' that was typed while nothing follows it; null without one, and while the list is closed. */
    loneSlash: isOpen && query === '' ? token : null,
    listId,
    optionIdOf,
    found,
    activeIndex,
    /** Undefined while the list is loading. */
    all: data,
    error: data ? null : error,
    retry: () => void refetch(),
    choose,
    handleKey,
    fieldProps: isOpen
      ? ({
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': listId,
          ...(found.length > 0 ? { 'aria-activedescendant': optionIdOf(activeIndex) } : {}),
        } as const)
      : {},
  };
}
export type ReplyPicker = ReturnType<typeof useReplyPicker>;
