import type { KeyboardEvent } from 'react';

const MESSAGE = '[data-message]';

function focusMessage(row: Element | undefined): boolean {
  if (!(row instanceof HTMLElement)) return false;
  row.focus();
  return true;
}

/**
 * The keys of the messages: Enter on the list leads to the newest one, the arrows to others, K quotes it, and Escape leads
 * back. The list itself keeps its arrows, which scroll.
 * @returns whether the key was used up
 */
export function handleMessageKey(
  { key, target, currentTarget, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent<HTMLElement>,
  onQuote: (messageId: string) => void,
): boolean {
  if (ctrlKey || metaKey || altKey || shiftKey || !(target instanceof HTMLElement)) return false;
  const rows = [...currentTarget.querySelectorAll(MESSAGE)];
  if (target === currentTarget) return key === 'Enter' && focusMessage(rows.at(-1));
  const index = rows.indexOf(target);
  if (index === -1) return false;
  const messageId = target.dataset['message'];
  if (key === 'ArrowUp') return focusMessage(rows[Math.max(index - 1, 0)]);
  if (key === 'ArrowDown') return focusMessage(rows[index + 1] ?? currentTarget);
  if (key === 'Escape') return focusMessage(currentTarget);
  if (key.toLowerCase() !== 'k' || messageId === undefined) return false;
  onQuote(messageId);
  return true;
}
