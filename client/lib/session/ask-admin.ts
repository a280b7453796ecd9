import type { RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import { onErasePrivateData } from './private-data.ts';

/** A question that the user wants to write to the admins, with the record that it is about. */
export type Question = { text: string; record: (RecordCardFields & { id: string }) | null };

/** The chat takes it, also when its code is loaded only later. */
let pending: Question | null = null;
const listeners = new Set<() => void>();

// A question stays here when the code of the chat could not be loaded. The next user must not find it in their own draft.
onErasePrivateData(() => {
  pending = null;
});

/** Opens the chat with the beginning of a question. */
export function askAdmin(question: Question): void {
  pending = question;
  for (const listener of listeners) listener();
}

/** Takes what was asked; each question once. */
export function takeQuestion(): Question | null {
  const question = pending;
  pending = null;
  return question;
}

/** @returns the undo */
export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
