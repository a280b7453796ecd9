import type { Participant } from '../../session/ephemeral-state.ts';

/** Who types in a conversation, for its row: the resident needs no name there, a colleague does. */
export function rowTypingText(typists: readonly Participant[] | undefined, userId: string): string | null {
  if (!typists || typists.length === 0) return null;
  if (typists.some(({ id }) => id === userId)) return 'sedang mengetik…';
  return `${typists[0]?.name ?? 'Admin'} sedang mengetik…`;
}
