import { useMediaQuery } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Center, Group, Kbd, Stack } from '@mantine/core';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import '../session/admin-part.ts';
import { useChatSession } from '../session/use-chat.ts';
import { useVisualViewport } from '../thread/use-visual-viewport.ts';
import { OpenConversations } from './columns/open-conversations.tsx';
import { useColumnShortcuts, useColumns } from './columns/use-columns.ts';
import { HeldElsewhere } from './composer/held-bar.tsx';
import { useAnswerFromUrl, inboxSearch, useInboxParams } from './use-inbox-params.ts';
import classes from './inbox.module.css';
import type { ListHandle } from './list/conversation-list.tsx';
import { ListPane } from './list/list-pane.tsx';
import { SearchDialog, useOpenMessage } from './search-dialog.tsx';
import { useMessageSearchKeys, useInboxShortcuts } from './use-inbox-shortcuts.ts';
import { inboxShortcuts } from './inbox-shortcuts.ts';

/** Lists the keyboard shortcuts of the inbox, where there is space. */
function KeyboardShortcuts() {
  return (
    <Stack component="span" gap="0.5rem" mt="sm" data-names-keys>
      {inboxShortcuts.map(({ keys, text }) => (
        <span key={text} className={classes['key']}>
          <Group component="span" justify="flex-end" gap="0.25rem">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Group>
          <span>{text}</span>
        </span>
      ))}
    </Stack>
  );
}

/** Enough space for list and conversation side by side; below that they are two views. */
const TWO_PANES = '(min-width: 48em)';
/** From 1,400 px on several conversations stand side by side; below that they are tabs. */
const COLUMNS = '(min-width: 87.5em)';

/** /admin/chat: the conversations of all users. */
export function InboxPage() {
  usePageTitle('Chat');
  const chatSession = useChatSession();
  const params = useInboxParams();
  const columns = useColumns(params);
  const twoPanes = useMediaQuery(TWO_PANES, true, { getInitialValueInEffect: false });
  const hasSpaceForColumns = useMediaQuery(COLUMNS, false, { getInitialValueInEffect: false });
  const list = useRef<ListHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  // Counts the requests to write: a click on a row is one; arrow keys in the list leave the focus there.
  const [fieldFocusRequest, setFieldFocusRequest] = useState<{ userId: string; times: number } | null>(null);
  const requestFieldFocus = (userId: string | null, isKeyboardOpen = false) =>
    setFieldFocusRequest((last) =>
      userId !== null && (twoPanes || isKeyboardOpen) ? { userId, times: (last?.times ?? 0) + 1 } : null,
    );
  const { focusedId, userIds } = columns;
  const [chosenResult, setChosenResult] = useState<string | null>(null);
  // Columns need its space; with one conversation it is there again.
  const [hidesList, setHidesList] = useState(false);
  const viewport = useVisualViewport(!twoPanes && focusedId !== null);

  // Back in the list, the focus returns to the row that was open.
  const lastUserId = useRef<string | null>(null);
  useEffect(() => {
    if (focusedId === null && lastUserId.current !== null) list.current?.focusRow(lastUserId.current);
    lastUserId.current = focusedId;
  }, [focusedId]);

  function open(id: string, how: 'press' | 'arrow'): void {
    // The arrow keys pass by what is open beside it already.
    if (how === 'arrow' && userIds.length > 1 && userIds.includes(id)) return;
    requestFieldFocus(how === 'press' ? id : null);
    columns.open(id, { step: how === 'arrow' });
  }
  const openRequested = useEffectEvent((id: string, write: boolean) => {
    open(id, 'press');
    if (write) requestFieldFocus(id, true);
  });
  useEffect(() => chatSession?.onOpenRequest((id, { write }) => openRequested(id, write)), [chatSession]);
  useAnswerFromUrl(() => requestFieldFocus(focusedId, true));
  function close(userId: string): void {
    // With a closed column the focus would be lost.
    requestFieldFocus(columns.close(userId));
  }

  const hasColumns = hasSpaceForColumns && userIds.length > 1;
  const listHidden = (!twoPanes && focusedId !== null) || (hasColumns && hidesList);
  useInboxShortcuts({
    close: () => {
      if (focusedId !== null) close(focusedId);
    },
    focusSearch: () => {
      // A hidden field cannot take the focus.
      flushSync(() => setHidesList(false));
      searchField.current?.focus();
    },
    openNeighbour: (by, writing) => {
      const neighbour = list.current?.neighbour(by, userIds);
      if (neighbour === undefined) return false;
      // From outside the keys lead into the list, so that Enter and the next arrow work there. What is hidden takes no focus.
      const staysInField = writing || listHidden;
      if (!staysInField) list.current?.focusRow(neighbour);
      // A first key chooses a row; Enter opens it.
      if (focusedId === null) return true;
      requestFieldFocus(staysInField ? neighbour : null);
      columns.open(neighbour, { step: true });
      return true;
    },
    // At once: the key that asks for it writes there.
    focusField: () => flushSync(() => requestFieldFocus(focusedId)),
  });
  useMessageSearchKeys(params.openSearch);
  useOpenMessage(chatSession, params.message, params.leaveMessage);
  function openFound(userId: string, messageId: string | null): void {
    const isAgain = params.message?.userId === userId && params.message.messageId === messageId;
    // The message takes the focus, or the field where only a person was chosen.
    requestFieldFocus(messageId === null ? userId : null);
    columns.open(userId, { openedAt: messageId === null ? null : { userId, messageId } });
    if (isAgain && messageId !== null) chatSession?.jumpToMessage(userId, messageId);
  }
  useColumnShortcuts({
    count: userIds.length,
    focusColumn: (index) => requestFieldFocus(columns.focus(userIds[index] ?? '')),
    closeOthers: () => requestFieldFocus(focusedId !== null ? columns.closeOthers(focusedId) : null),
  });

  const displayedIds = hasColumns || focusedId === null ? userIds : [focusedId];
  const heldElsewhere = <HeldElsewhere shownIds={displayedIds} onOpen={(id) => open(id, 'press')} />;
  return (
    <div
      className={classes['inbox']}
      data-two-panes={twoPanes || undefined}
      data-columns={hasColumns || undefined}
      data-list-hidden={(hasColumns && hidesList) || undefined}
    >
      {/* Hidden, not removed, so that its scroll position stays. */}
      <div
        className={`${classes['list']} no-print`}
        style={listHidden ? { visibility: 'hidden' } : undefined}
        inert={listHidden}
      >
        <ListPane
          chatSession={chatSession}
          only={params.only}
          selectedId={focusedId}
          openIds={userIds}
          opensOnArrow={twoPanes && focusedId !== null}
          linkTargetOf={(id) => ({ search: inboxSearch({ userIds: [id], only: params.only }) })}
          onOpen={open}
          onOpenBeside={(id) => requestFieldFocus(columns.openBeside(id))}
          onFilterChange={params.setFilter}
          onSearchMessages={params.openSearch}
          notice={listHidden ? null : heldElsewhere}
          handle={list}
          searchRef={searchField}
        />
      </div>
      {focusedId !== null && chatSession ? (
        <div
          className={classes['conversation']}
          // Above the keyboard of a phone, not behind it.
          style={
            viewport ? { position: 'fixed', top: viewport.top, bottom: 'auto', height: viewport.height } : undefined
          }
        >
          <OpenConversations
            chatSession={chatSession}
            userIds={userIds}
            focusedId={focusedId}
            hasColumns={hasSpaceForColumns}
            isSinglePane={!twoPanes}
            fieldFocusRequest={fieldFocusRequest}
            notice={listHidden ? heldElsewhere : null}
            onFocus={(id) => void columns.focus(id)}
            onOpenInstead={(userId, nextId, wasWriting) => {
              const nowFocused = columns.openInstead(userId, nextId);
              // The keyboard of a phone stays as it was.
              if (userId === focusedId) requestFieldFocus(nowFocused, wasWriting);
            }}
            onClose={close}
            onCloseOthers={(id) => requestFieldFocus(columns.closeOthers(id))}
            isListHidden={listHidden}
            onToggleList={() => setHidesList(!hidesList)}
          />
        </div>
      ) : null}
      {params.search ? (
        <SearchDialog
          params={params.search}
          openUserId={focusedId}
          isFullScreen={!twoPanes}
          lastKey={chosenResult}
          onChoose={setChosenResult}
          onChange={params.setSearch}
          onOpenMessage={openFound}
          onOpenUser={(userId) => openFound(userId, null)}
          onClose={params.closeSearch}
        />
      ) : null}
      {focusedId === null && twoPanes ? (
        <Center bg="var(--page)">
          <EmptyState icon={IconMessages} title="Pilih user untuk chat" description={<KeyboardShortcuts />} />
        </Center>
      ) : null}
    </div>
  );
}
