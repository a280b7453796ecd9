import type { EphemeralState, Participant } from '../../state/model/ephemeral-state.ts';

/** The people in the conversation of a row: those who type, and the colleagues who view it or write there. */
export type RowPeople = { typing: string | null; looking: string; writing: string };

const nameOf = ({ name }: Participant): string => name || 'Admin';

/** The names of the colleagues who write in a conversation, and of the others who look at it. */
export function colleaguesIn(
  state: EphemeralState,
  userId: string,
  adminId: string,
): { writing: string[]; looking: string[] } {
  const writing = (state.typing[userId] ?? []).filter(({ id }) => id !== userId && id !== adminId);
  const looking = (state.viewers[userId] ?? []).filter(
    ({ id }) => id !== adminId && writing.every((colleague) => colleague.id !== id),
  );
  return { writing: writing.map(nameOf), looking: looking.map(nameOf) };
}

/** @param adminId who looks at the list, and is no colleague of that admin */
export function rowPeople(state: EphemeralState, userId: string, adminId: string): RowPeople {
  const typists = state.typing[userId] ?? [];
  const { writing, looking } = colleaguesIn(state, userId, adminId);
  return { typing: typingText(typists, userId), looking: looking.join(', '), writing: writing.join(', ') };
}

/** The typing notice: without a name for the user, whose row it is, with a name for an admin. */
function typingText(typists: readonly Participant[], userId: string): string | null {
  if (typists.length === 0) return null;
  if (typists.some(({ id }) => id === userId)) return 'sedang mengetik…';
  return `${typists[0]?.name ?? 'Admin'} sedang mengetik…`;
}
