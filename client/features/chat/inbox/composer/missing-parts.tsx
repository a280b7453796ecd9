import { Anchor, Button, CloseButton, Group, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useMemo } from 'react';
import { paths } from '#client/paths.ts';
import { type Placeholder, findPlaceholders } from '#shared/domain/reply-template.ts';
import { BELOW_FIELD } from './fill-reply.tsx';
import classes from './quick-replies.module.css';
import { useStoredText, writeStoredText } from '../../drafts/stored-text.ts';

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
const readableName = ({ name, isPrompt }: Placeholder): string => (isPrompt ? name : name.replaceAll('_', ' '));

/** The server leaves this open only while no hours are stored (R-REPLY-4). */
const HOURS = 'jam_layanan';

type Props = {
  open: readonly Placeholder[];
  /** Sending was refused because of the first one. */
  isReminder: boolean;
  onSelect: (placeholder: Placeholder) => void;
  onIgnore: (name: string) => void;
};

/** Below the field: what a quick reply left open. A press selects it in the field. */
export function MissingParts({ open, isReminder, onSelect, onIgnore }: Props) {
  const [first] = open;
  if (!first) return null;
  const byName = new Map(open.toReversed().map((placeholder) => [placeholder.name, placeholder]));
  return (
    <Group gap="0.25rem 0.5rem" pt="0.375rem" fz="sm" style={BELOW_FIELD}>
      <Text
        inherit
        role={isReminder ? 'alert' : undefined}
        {...(isReminder ? { fw: 600, c: 'var(--mantine-color-error)' } : {})}
      >
        {isReminder ? `Lengkapi: ${readableName(first)}` : 'Belum lengkap:'}
      </Text>
      {[...byName.values()].toReversed().map((placeholder) => (
        <span key={placeholder.name} className={classes['chip']}>
          <Button
            variant="subtle"
            color="orange"
            size="compact-md"
            mih={44}
            aria-label={`Lengkapi: ${readableName(placeholder)}`}
            onClick={() => onSelect(placeholder)}
          >
            {readableName(placeholder)}
          </Button>
          <CloseButton
            size={44}
            iconSize={18}
            aria-label={`Biarkan {${placeholder.isPrompt ? '?' : ''}${placeholder.name}} apa adanya`}
            title="Biarkan apa adanya"
            onClick={() => onIgnore(placeholder.name)}
          />
        </span>
      ))}
      {byName.has(HOURS) ? (
        <Text inherit>
          Jam layanan belum pernah diisi.{' '}
          <Anchor component={Link} to={paths.adminOfficeHours} inherit>
            Isi jam layanan
          </Anchor>
        </Text>
      ) : null}
    </Group>
  );
}
