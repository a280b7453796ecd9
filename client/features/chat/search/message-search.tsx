import { Button, CloseButton, Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessageSearch, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { MessageSearchResult } from '#shared/api/chat/inbox.ts';
import { SEARCH_MAX } from '#shared/limits.ts';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { formatNumber, showDateTime } from '#client/lib/format.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { emailText } from '#shared/domain/users/email-text.ts';
import { previewOf } from '../previews/message-preview.ts';
import { PreviewIcon } from '../previews/preview-icon.tsx';
import classes from './message-search.module.css';
import { SEARCH_MIN_LENGTH, type SearchScope, useMessageSearch } from './use-message-search.ts';

type MarkedTextProps = { text: string; marks: readonly (readonly [number, number])[] };

/** A text with marked places. What the marks say may not fit the text: then it stands there without them. */
function MarkedText({ text, marks }: MarkedTextProps) {
  const parts: { text: string; isMarked: boolean; from: number }[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    if (from < end || to <= from || to > text.length) continue;
    if (from > end) parts.push({ text: text.slice(end, from), isMarked: false, from: end });
    parts.push({ text: text.slice(from, to), isMarked: true, from });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false, from: end });
  return parts.map((part) =>
    part.isMarked ? <mark key={part.from}>{part.text}</mark> : <span key={part.from}>{part.text}</span>,
  );
}

const DEBOUNCE_MS = 250;

export type FoundPerson = { id: string; name: string; email: string };
/** A person or a message among the results, by its name in the list. */
type Choice = { key: string; open: () => void };

type Props = {
  scope: SearchScope;
  /** The text with which the search begins. */
  initialText: string;
  /** The text that was typed, as soon as typing pauses. */
  onSearch?: (text: string) => void;
  onOpen: (found: MessageSearchResult) => void;
  /** The people whose names match; they stand first. */
  people?: readonly FoundPerson[];
  onOpenPerson?: (person: FoundPerson) => void;
  /** The result on which the keys stand at the beginning. */
  initialKey?: string | null;
  onChoose?: (key: string) => void;
  /** Below the field. */
  children?: ReactNode;
};

const keyOfMessage = (found: MessageSearchResult): string => `m${found.message._id}`;
const keyOfPerson = (person: FoundPerson): string => `p${person.id}`;

/** A field and the messages that contain its words: arrows choose one, Enter opens it. */
export function MessageSearch(props: Props) {
  const { scope, initialText, onSearch, onOpen, people = [], onOpenPerson, initialKey = null, onChoose } = props;
  const [text, setText] = useState(initialText);
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS);
  const search = useMessageSearch(text.trim() === '' ? '' : debounced, scope);
  const [chosenKey, setChosenKey] = useState<string | null>(initialKey);
  const listId = useId();
  const reported = useRef(initialText);
  useEffect(() => {
    if (debounced === reported.current) return;
    reported.current = debounced;
    onSearch?.(debounced);
  }, [debounced, onSearch]);

  const { found, isLongEnough, error, indexedPercent } = search;
  const shownPeople = isLongEnough ? people : [];
  const choices: Choice[] = [
    ...shownPeople.map((person) => ({ key: keyOfPerson(person), open: () => onOpenPerson?.(person) })),
    ...found.map((result) => ({ key: keyOfMessage(result), open: () => onOpen(result) })),
  ];
  const index = Math.max(
    0,
    choices.findIndex(({ key }) => key === chosenKey),
  );
  const chosen = choices[index];
  const optionId = (key: string) => `${listId}-${key}`;
  const chosenId = chosen ? optionId(chosen.key) : undefined;
  useEffect(() => {
    if (chosenId !== undefined) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  function open(choice: Choice | undefined): void {
    if (!choice) return;
    onChoose?.(choice.key);
    choice.open();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      // The results shown may still belong to the text before.
      if (text === debounced && !search.isOutdated) open(chosen);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const next = choices[index + (event.key === 'ArrowDown' ? 1 : -1)];
      if (next) setChosenKey(next.key);
      else if (event.key === 'ArrowDown') search.loadMore();
    }
  }

  function renderResult(result: MessageSearchResult): ReactNode {
    const { message, user, snippet, marks } = result;
    const writer = message.from_admin ? `${message.sender_name}: ` : '';
    return (
      <>
        <span className={classes['head']}>
          <span className={classes['name']}>
            {scope.kind === 'all' ? user.name : message.from_admin ? message.sender_name : 'Anda'}
          </span>
          <time dateTime={message.createdAt} className={classes['time']}>
            {showDateTime(message.createdAt)}
          </time>
        </span>
        <span className={classes['snippet']} dir="auto">
          {scope.kind === 'all' ? writer : null}
          <PreviewIcon kind={previewOf(message).icon} />
          <MarkedText text={snippet} marks={marks} />
        </span>
      </>
    );
  }

  const option = (key: string, choice: Choice | undefined, content: ReactNode) => (
    // The field keeps the focus and has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      key={key}
      id={optionId(key)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      tabIndex={-1}
      aria-selected={chosen?.key === key}
      className={classes['option']}
      onClick={() => open(choice)}
    >
      {content}
    </div>
  );

  const hasNothing = isLongEnough && !search.isPending && error === null && choices.length === 0;
  return (
    <div className={classes['search']}>
      <TextInput
        type="search"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a search field with a list of its own
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosenId}
        aria-label="Cari pesan"
        placeholder="Kata, nomor, atau nama"
        autoComplete="off"
        data-autofocus
        value={text}
        maxLength={SEARCH_MAX}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosenKey(null);
        }}
        onKeyDown={onKeyDown}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={text === '' ? null : <CloseButton aria-label="Hapus pencarian" onClick={() => setText('')} />}
        rightSectionPointerEvents="all"
      />
      {props.children}
      {indexedPercent !== null && indexedPercent < 100 ? (
        <Text fz="sm" c="light-dark(var(--mantine-color-yellow-9), var(--mantine-color-yellow-3))">
          Pencarian masih disiapkan ({indexedPercent} %). Pesan lama mungkin belum ditemukan.
        </Text>
      ) : null}
      <Text component="output" mih="1.25rem" fz="sm" c="dimmed">
        {search.isPending ? 'Mencari…' : null}
        {isLongEnough && !search.isPending && found.length > 0
          ? `${formatNumber(found.length)}${search.hasMore ? '+' : ''} pesan ditemukan`
          : null}
      </Text>
      <div className={classes['results']} aria-busy={search.isPending || search.isOutdated}>
        {isLongEnough ? null : (
          <EmptyState
            icon={IconMessageSearch}
            title="Cari pesan"
            description={`Ketik paling sedikit ${SEARCH_MIN_LENGTH} huruf atau angka. Semua pesan dicari, juga yang lama.`}
          />
        )}
        {search.isPending ? <Loader size="sm" display="block" my="1.5rem" mx="auto" aria-hidden /> : null}
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot show these results */}
        <div role="listbox" id={listId} aria-label="Hasil pencarian">
          {shownPeople.length > 0 ? (
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an optgroup stands only in a select
            <div role="group" aria-label="Warga">
              {shownPeople.map((person) =>
                option(
                  keyOfPerson(person),
                  choices.find(({ key }) => key === keyOfPerson(person)),
                  <>
                    <span className={classes['name']}>{person.name}</span>
                    <span className={classes['snippet']}>{emailText(person.email)}</span>
                  </>,
                ),
              )}
            </div>
          ) : null}
          {found.length > 0 ? (
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an optgroup stands only in a select
            <div role="group" aria-label="Pesan">
              {found.map((result) =>
                option(
                  keyOfMessage(result),
                  choices.find(({ key }) => key === keyOfMessage(result)),
                  renderResult(result),
                ),
              )}
            </div>
          ) : null}
        </div>
        {hasNothing ? (
          <EmptyState icon={IconMessageSearch} title={`Tidak ada pesan yang cocok dengan “${debounced.trim()}”`} />
        ) : null}
        {error === null ? null : (
          <ErrorState title={messageOf(error, 'Pencarian gagal')} description={hintOf(error)} onRetry={search.retry} />
        )}
        {search.hasMore && error === null ? (
          <Button variant="subtle" fullWidth mih={44} loading={search.isLoadingMore} onClick={search.loadMore}>
            Tampilkan lebih banyak
          </Button>
        ) : null}
      </div>
    </div>
  );
}
