import { onErasePrivateData } from './private-data.ts';

/** A question that somebody wants to write to the admins; the chat takes it, also when its code is loaded only later. */
let pendingText: string | null = null;
const listeners = new Set<() => void>();

// Where the code of the chat could not be loaded, the next user of this page must not find the question in their own draft.
onErasePrivateData(() => {
  pendingText = null;
});

/** Opens the chat with the beginning of a question. */
export function askAdmin(text: string): void {
  pendingText = text;
  for (const listener of listeners) listener();
}

/** Takes what was asked; each question once. */
export function takeQuestion(): string | null {
  const text = pendingText;
  pendingText = null;
  return text;
}

/** @returns the undo */
export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
