import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { SEARCH_MAX } from '#shared/limits.ts';
import { usePageKeys } from '../keys/page-keys.ts';

const DEBOUNCE_MS = 300;

type Props = {
  label: string;
  /** The label is only for screen readers, in a line of tools. */
  hideLabel?: boolean;
  placeholder?: string;
  /** The active search. */
  value: string;
  /** Called when the user pauses typing. */
  onSearch: (text: string) => void;
};

/** The search of a page: '/' focuses it from anywhere, and it searches when the user pauses typing. */
export function SearchField({ label, hideLabel = false, placeholder, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [previousValue, setPreviousValue] = useState(value);
  /** Searches of this field that are not yet the active one. */
  const [ownSearches, setOwnSearches] = useState<readonly string[]>([]);
  // Going back in the browser changes the search, and the field follows.
  // Its own search may arrive while the user types on: then the field keeps what was typed.
  if (previousValue !== value) {
    setPreviousValue(value);
    const index = ownSearches.indexOf(value);
    setOwnSearches(index === -1 ? [] : ownSearches.slice(index + 1));
    if (index === -1) setText(value);
  }
  const searchDebounced = useDebouncedCallback((typed: string) => {
    const search = typed.trim();
    if (search !== value) setOwnSearches([...ownSearches, search]);
    onSearch(search);
  }, DEBOUNCE_MS);

  usePageKeys((event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.current?.focus();
    input.current?.select();
  });

  return (
    <TextInput
      ref={input}
      type="search"
      {...(hideLabel ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      maxLength={SEARCH_MAX}
      autoComplete="off"
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={text === '' ? <Kbd aria-hidden>/</Kbd> : undefined}
      aria-keyshortcuts="/"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        searchDebounced(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') searchDebounced.flush();
      }}
    />
  );
}
