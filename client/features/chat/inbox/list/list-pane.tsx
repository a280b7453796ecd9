import { Button, Group, Text, Title, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { IconVolumeOff } from '@tabler/icons-react';
import { formatNumber } from '#client/lib/format.ts';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import { type ListFilter, compareSortKeys, orderOf, type SortKey, sortKeyOf } from '../../state/model/list-order.ts';
import { currentUserAtom, listAtom } from '../../state/selectors.ts';
import { useConnectionState, useConversation } from '../../session/use-chat.ts';
import { useConversationList } from '../../session/use-conversation-list.ts';
import { useRegisteredUserCount } from '../../session/use-registered-user-count.ts';
import { ConversationList, type ConversationListProps, type ListHandle } from './conversation-list.tsx';
import { ListEnd, ListPlaceholder } from './list-placeholder.tsx';
import { InboxToolbar } from './inbox-toolbar.tsx';
import { useNotesForMe } from '../../display/use-notes-for-me.ts';
import chat from '../../chat.module.css';
import classes from './list.module.css';
import { SelectionBar } from './selection-bar.tsx';
import { useRowSelection } from './use-row-selection.ts';
import { playBeep, soundStateAtom } from '../../notifications/beep.ts';
import { readNotificationPreferences } from '../../notifications/preferences.ts';

const idOf = ({ other_user }: ConversationSummary): string => other_user._id;

/** Inserts one conversation where it stood before, unless the list has it already. */
function withPinned(
  summaries: readonly ConversationSummary[],
  pinned: ConversationSummary | undefined,
  key: SortKey | null,
): readonly ConversationSummary[] {
  if (!pinned || !key || summaries.some((summary) => idOf(summary) === idOf(pinned))) return summaries;
  const below = summaries.findIndex((summary) => compareSortKeys(sortKeyOf(summary, key.order), key) > 0);
  return below === -1 ? [...summaries, pinned] : summaries.toSpliced(below, 0, pinned);
}

type Pin = { id: string; only: string; search: string; key: SortKey };

/**
 * The conversation that stays in a filtered list although the filter no longer matches it: the open one, if the list had it
 * while it was open. Otherwise its row would disappear under the pointer, because opening marks it as read and answering ends
 * the wait.
 * @returns the key of its last place in the list
 */
function usePinnedKey(
  summaries: readonly ConversationSummary[],
  { only, search }: ListFilter,
  selectedId: string | null,
): SortKey | null {
  const [pin, setPin] = useState<Pin | null>(null);
  const isPinned = pin !== null && pin.id === selectedId && pin.only === only && pin.search === search;
  const listed = selectedId === null ? undefined : summaries.find((summary) => idOf(summary) === selectedId);
  if (listed && selectedId !== null) {
    const key = sortKeyOf(listed, orderOf(only));
    if (!isPinned || pin.key.rank !== key.rank) setPin({ id: selectedId, only, search, key });
    return key;
  }
  if (isPinned) return pin.key;
  if (pin !== null) setPin(null);
  return null;
}

const badgeByState = {
  live: { level: 'good', text: 'Online', title: 'Pesan baru tampil seketika.' },
  polling: {
    level: 'slow',
    text: 'Online',
    title: 'Sambungan langsung terputus; pesan diperiksa tiap beberapa detik.',
  },
  waiting: { level: 'slow', text: 'Menghubungkan…', title: 'Menghubungkan ke server.' },
  offline: { level: 'bad', text: 'Offline', title: 'Server tidak terjangkau. Pesan Anda disimpan dan dikirim nanti.' },
} as const;

/** Shows whether this page is connected to the server. */
function ConnectionBadge({ onRetry }: { onRetry: () => void }) {
  const state = useConnectionState();
  const { level, text, title } = badgeByState[state];
  return (
    <Group gap="0.5rem" wrap="nowrap" flex="none">
      {state === 'offline' ? (
        <Button size="compact-sm" variant="light" onClick={onRetry}>
          Coba lagi
        </Button>
      ) : null}
      <output className={classes['state']} data-level={level} title={title}>
        {text}
      </output>
    </Group>
  );
}

/** Says that new messages are silent; a press, here or anywhere else, enables the sound if the browser allows it. */
function SoundBlockedNotice() {
  const blocked = useAtomValue(soundStateAtom) === 'blocked';
  const { notifications, chatSound } = readNotificationPreferences();
  if (!blocked || !notifications || !chatSound) return null;
  return (
    <UnstyledButton className={chat['warning'] ?? ''} onClick={() => void playBeep()}>
      <IconVolumeOff size={18} aria-hidden />
      Suara diblokir peramban. Tekan untuk mengaktifkan.
    </UnstyledButton>
  );
}

const SEARCH_DEBOUNCE_MS = 250;
/** A link to a conversation further down than this opens it without bringing its row into view. */
const ROWS_LOADED_FOR_SELECTION_MAX = 500;

/** The props that the pane passes on to its list. */
type RowsProps = Pick<
  ConversationListProps,
  'selectedId' | 'openIds' | 'opensOnArrow' | 'linkTargetOf' | 'onOpen' | 'onOpenBeside'
>;

type Props = RowsProps & {
  chatSession: ChatSession | null;
  only: ListFilter['only'];
  onFilterChange: (only: ListFilter['only']) => void;
  onSearchMessages: () => void;
  /** At the end, where its coming and going moves no row. */
  notice: ReactNode;
  handle: RefObject<ListHandle | null>;
  searchRef: Ref<HTMLInputElement>;
};

/** The left side of the inbox: search, filters and the list of conversations. */
export function ListPane(props: Props) {
  const { chatSession, only, onFilterChange, onSearchMessages, notice, handle, searchRef, ...rows } = props;
  const { selectedId } = rows;
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const [search, setSearch] = useState('');
  const [debouncedSearch] = useDebouncedValue(search, SEARCH_DEBOUNCE_MS);
  const currentUserId = useAtomValue(currentUserAtom)?.id ?? '';
  const { entries, counts } = useAtomValue(listAtom);
  const registeredCount = useRegisteredUserCount();
  const notesForMe = useNotesForMe();

  const filter = { only, search: search === '' ? '' : debouncedSearch };
  const list = useConversationList(chatSession, filter);
  const pinnedKey = usePinnedKey(list.summaries, filter, selectedId);
  const summaries = withPinned(list.summaries, entries[selectedId ?? '']?.summary, pinnedKey);
  const listKey = `${filter.only} ${filter.search}`;
  const selection = useRowSelection(
    listKey,
    summaries.map(({ other_user }) => other_user._id),
  );

  usePageKeys(
    (event) => {
      if (event.key !== 'Escape') return;
      // A second one leaves the conversation.
      event.preventDefault();
      selection.setOn(false);
    },
    { inFields: true, wanted: selection.isOn },
  );

  // All loaded conversations have left the filter, but the server has more.
  const { loadMore } = list;
  // After a reload or by a link, the row of the open conversation may stand on a later page.
  const isSelectedLoaded = useConversation(selectedId ?? '').loaded;
  const seeksSelected =
    isSelectedLoaded &&
    only === 'all' &&
    search === '' &&
    summaries.length < ROWS_LOADED_FOR_SELECTION_MAX &&
    summaries.every(({ other_user }) => other_user._id !== selectedId);
  const canLoadMore = chatSession !== null && list.hasMore && list.loadState === 'none';
  const needsNextPage = canLoadMore && (summaries.length === 0 || seeksSelected);
  useEffect(() => {
    if (needsNextPage) loadMore();
  }, [needsNextPage, loadMore]);

  return (
    <section className={classes['pane']} aria-label="Daftar percakapan">
      <Group justify="space-between" gap="0.5rem" wrap="nowrap" px="md" pt="0.5rem">
        <Group gap="0 0.625rem" align="baseline">
          <Title order={1} ref={heading} tabIndex={-1} fz="lg" lh={1.35}>
            Chat
          </Title>
          <Text fz="sm" c="dimmed">
            {registeredCount === undefined ? ' ' : `${formatNumber(registeredCount)} pengguna terdaftar`}
          </Text>
        </Group>
        <ConnectionBadge onRetry={() => chatSession?.retryNow()} />
      </Group>
      <InboxToolbar
        filter={{ only, search }}
        counts={counts}
        selecting={selection.isOn}
        onSelectingChange={selection.setOn}
        onSearch={setSearch}
        onFilterChange={onFilterChange}
        onSearchMessages={onSearchMessages}
        onArrowDown={() => handle.current?.focusRow(selectedId)}
        searchRef={searchRef}
      />
      {summaries.length === 0 ? (
        <ListPlaceholder
          loadState={list.loadState}
          loaded={!list.hasMore}
          error={list.error}
          filter={filter}
          onRetry={list.refresh}
        />
      ) : (
        <ConversationList
          // Starts at the top again, because a filter puts its first result there.
          key={listKey}
          {...rows}
          summaries={summaries}
          currentUserId={currentUserId}
          notesForMe={notesForMe}
          selection={selection}
          canLoadMore={list.hasMore && list.loadState === 'none'}
          onLoadMore={list.loadMore}
          handle={handle}
        >
          <ListEnd load={list.loadState} hasMore={list.hasMore} onRetry={list.loadMore} />
        </ConversationList>
      )}
      {selection.isOn ? (
        <SelectionBar selection={selection} onEnd={() => handle.current?.focusRow(selectedId)} />
      ) : null}
      {/* At the end: the first click removes this notice, and the clicked element must not move. */}
      <SoundBlockedNotice />
      {notice}
    </section>
  );
}
