import { Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import type { ChatClient } from '../../session/client.ts';
import type { ListFilter } from '../../session/conversation-list.ts';
import { identityAtom, listAtom } from '../../session/state.ts';
import { useConversationList } from '../../session/use-chat.ts';
import { useOfficeFigures } from '../use-office-figures.ts';
import { ConnectionNote } from './connection-note.tsx';
import { ConversationList, type ListHandle } from './conversation-list.tsx';
import { ListEnd, ListPlaceholder } from './list-placeholder.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import classes from './list.module.css';
import { usePinnedId, withPinned } from './pinned.ts';
import { SoundNote } from './sound-note.tsx';

const SEARCH_PAUSE_MS = 250;

type Props = {
  client: ChatClient | null;
  only: ListFilter['only'];
  selectedId: string | null;
  opensOnArrow: boolean;
  toOf: (userId: string) => { search: string };
  onOpen: (userId: string, how: 'press' | 'arrow') => void;
  onShow: (only: ListFilter['only']) => void;
  handle: RefObject<ListHandle | null>;
  searchRef: Ref<HTMLInputElement>;
};

/** The left side of the desk: who writes, who waits, and how to find somebody. */
export function ListPane({ client, only, selectedId, opensOnArrow, toOf, onOpen, onShow, handle, searchRef }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search, SEARCH_PAUSE_MS);
  const selfId = useAtomValue(identityAtom)?.selfId ?? '';
  const entries = useAtomValue(listAtom).entries;
  const registered = useOfficeFigures();

  const filter = { only, search: search === '' ? '' : wanted };
  const list = useConversationList(client, filter);
  const pinnedId = usePinnedId(list.summaries, filter, selectedId);
  const summaries = withPinned(list.summaries, pinnedId === null ? undefined : entries[pinnedId]?.summary);

  // Everything that was loaded has left the filter, but the server has more of it.
  const { readMore } = list;
  const ranDry = client !== null && summaries.length === 0 && list.hasMore && list.load === 'none';
  useEffect(() => {
    if (ranDry) readMore();
  }, [ranDry, readMore]);

  return (
    <section className={classes['pane']} aria-label="Daftar percakapan">
      <div className={classes['head']}>
        <div>
          <Title order={1} ref={heading} tabIndex={-1} className={classes['title'] ?? ''}>
            Chat
          </Title>
          <p className={classes['count']}>
            {registered === undefined ? ' ' : `${formatNumber(registered)} pengguna terdaftar`}
          </p>
        </div>
        <ConnectionNote onRetry={() => client?.retryNow()} />
      </div>
      <ListToolbar
        filter={{ only, search }}
        onSearch={setSearch}
        onShow={onShow}
        onArrowDown={() => handle.current?.focus(selectedId)}
        searchRef={searchRef}
      />
      {summaries.length === 0 ? (
        <ListPlaceholder
          load={list.load}
          loaded={!list.hasMore}
          error={list.error}
          filter={filter}
          onRetry={list.refresh}
        />
      ) : (
        <ConversationList
          // From the top again, where a filter puts what it found.
          key={`${filter.only} ${filter.search}`}
          summaries={summaries}
          selfId={selfId}
          selectedId={selectedId}
          opensOnArrow={opensOnArrow}
          toOf={toOf}
          onOpen={onOpen}
          canReadMore={list.hasMore && list.load === 'none'}
          onReadMore={list.readMore}
          handle={handle}
        >
          <ListEnd load={list.load} hasMore={list.hasMore} onRetry={list.readMore} />
        </ConversationList>
      )}
      {/* At the end: it goes with the first press, and nothing may move away from under that. */}
      <SoundNote />
    </section>
  );
}
