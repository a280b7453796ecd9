import { useMemo } from 'react';
import { findPlaceholders, type Placeholder } from '#shared/domain/reply-template.ts';
import { useStoredText, writeStoredText } from '../../../session/stored-text.ts';

/** The key has the form of `lib/private-data.ts`. */
const storageKeyOf = (currentUserId: string, userId: string): string => `pbb-chat-missing:${currentUserId}:${userId}`;

function parseNames(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * The placeholders of quick replies that are still open in a draft. Braces that the admin typed are plain text. The names are kept
 * with the draft, also while their placeholder is not in it, because an undo in the field can bring it back.
 */
export function useMissingParts(currentUserId: string, userId: string, text: string) {
  const key = storageKeyOf(currentUserId, userId);
  const stored = useStoredText(key);
  const names = useMemo(() => parseNames(stored), [stored]);
  const open = useMemo(
    () => (names.length === 0 ? [] : findPlaceholders(text).filter(({ name }) => names.includes(name))),
    [names, text],
  );
  const setNames = (next: readonly string[]): void =>
    writeStoredText(key, next.length === 0 ? null : JSON.stringify(next));

  return {
    open: open as readonly Placeholder[],
    add: (added: readonly string[]): void => {
      if (added.length > 0) setNames([...new Set([...names, ...added])]);
    },
    /** It is meant as it stands. */
    ignore: (name: string): void => setNames(names.filter((known) => known !== name)),
    clear: (): void => setNames([]),
  };
}

/** 'jatuh_tempo_terdekat' is a name for the server. */
export const readableName = ({ name, isPrompt }: Placeholder): string => (isPrompt ? name : name.replaceAll('_', ' '));
