import type { EphemeralState, Participant } from '../../session/ephemeral-state.ts';

/** Who types in the conversation of a row, and which colleagues look or write there. */
export type RowPeople = { typing: string | null; looking: string; writing: string };

const listNames = (people: readonly Participant[]): string => people.map(({ name }) => name || 'Admin').join(', ');

/** @param adminId who looks at the list, and is no colleague of that admin */
export function rowPeople(state: EphemeralState, userId: string, adminId: string): RowPeople {
  const typists = state.typing[userId] ?? [];
  const writing = typists.filter(({ id }) => id !== userId && id !== adminId);
  const looking = (state.viewers[userId] ?? []).filter(
    ({ id }) => id !== adminId && writing.every((colleague) => colleague.id !== id),
  );
  return { typing: typingText(typists, userId), looking: listNames(looking), writing: listNames(writing) };
}

/** The typing notice: without a name for the user, whose row it is, with a name for an admin. */
function typingText(typists: readonly Participant[], userId: string): string | null {
  if (typists.length === 0) return null;
  if (typists.some(({ id }) => id === userId)) return 'sedang mengetik…';
  return `${typists[0]?.name ?? 'Admin'} sedang mengetik…`;
}
