import { Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import type { ChatSession } from '../../session/chat-session.ts';
import type { ListFilter } from '../../session/list/list-order.ts';
import { currentUserAtom, listAtom } from '../../session/state.ts';
import { useConversation, useConversationList } from '../../session/use-chat.ts';
import { useRegisteredUserCount } from '../../session/use-registered-user-count.ts';
import { ConnectionBadge } from './connection-badge.tsx';
import { ConversationList, type ListHandle } from './conversation-list.tsx';
import { ListEnd, ListPlaceholder } from './list-placeholder.tsx';
import { InboxToolbar } from './inbox-toolbar.tsx';
import { useNotesForMe } from '../../display/use-notes-for-me.ts';
import classes from './list.module.css';
import { SoundBlockedNotice } from './sound-blocked-notice.tsx';
import { usePinnedKey, withPinned } from './pinned.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { useRowSelection } from './selection/use-row-selection.ts';

const SEARCH_DEBOUNCE_MS = 250;
/** A link to a conversation further down than this opens it without bringing its row into view. */
const ROWS_LOADED_FOR_SELECTION_MAX = 500;

type Props = {
  chatSession: ChatSession | null;
  only: ListFilter['only'];
  selectedId: string | null;
  openIds: readonly string[];
  opensOnArrow: boolean;
  linkTargetOf: (userId: string) => { search: string };
  onOpen: (userId: string, how: 'press' | 'arrow') => void;
  /** Beside the conversations that are open. */
  onOpenBeside: (userId: string) => void;
  onFilterChange: (only: ListFilter['only']) => void;
  onSearchMessages: () => void;
  /** At the end, where its coming and going moves no row. */
  notice: ReactNode;
  handle: RefObject<ListHandle | null>;
  searchRef: Ref<HTMLInputElement>;
};

/** The left side of the inbox: search, filters and the list of conversations. */
export function ListPane({
  chatSession,
  only,
  selectedId,
  openIds,
  opensOnArrow,
  linkTargetOf,
  onOpen,
  onOpenBeside,
  onFilterChange,
  onSearchMessages,
  notice,
  handle,
  searchRef,
}: Props) {
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
      <div className={classes['head']}>
        <div className={classes['heading']}>
          <Title order={1} ref={heading} tabIndex={-1} className={classes['title'] ?? ''}>
            Chat
          </Title>
          <p className={classes['count']}>
            {registeredCount === undefined ? ' ' : `${formatNumber(registeredCount)} pengguna terdaftar`}
          </p>
        </div>
        <ConnectionBadge onRetry={() => chatSession?.retryNow()} />
      </div>
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
          summaries={summaries}
          currentUserId={currentUserId}
          selectedId={selectedId}
          openIds={openIds}
          opensOnArrow={opensOnArrow}
          linkTargetOf={linkTargetOf}
          notesForMe={notesForMe}
          onOpen={onOpen}
          onOpenBeside={onOpenBeside}
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
