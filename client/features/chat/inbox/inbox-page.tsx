import { useMediaQuery } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useChatSession } from '../session/use-chat.ts';
import { useVisualViewport } from '../thread/use-visual-viewport.ts';
import { ConversationPane } from './conversation/conversation-pane.tsx';
import { inboxSearch, useInboxParams } from './use-inbox-params.ts';
import classes from './inbox.module.css';
import type { ListHandle } from './list/conversation-list.tsx';
import { KeyboardShortcuts } from './keyboard-shortcuts.tsx';
import { ListPane } from './list/list-pane.tsx';
import { useInboxShortcuts } from './use-inbox-shortcuts.ts';

/** Enough space for list and conversation side by side; below that they are two views. */
const TWO_PANES = '(min-width: 48em)';

/** /admin/chat: the conversations of all users. */
export function InboxPage() {
  usePageTitle('Chat');
  const chatSession = useChatSession();
  const params = useInboxParams();
  const twoPanes = useMediaQuery(TWO_PANES, true, { getInitialValueInEffect: false });
  const list = useRef<ListHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  // How often the admin asked to write: a click on a row does so; arrow keys in the list leave the focus there.
  const [fieldFocusRequests, setFieldFocusRequests] = useState(0);
  const requestFieldFocus = (focusField: boolean) =>
    setFieldFocusRequests((times) => (focusField && twoPanes ? times + 1 : 0));
  const { userId } = params;
  const viewport = useVisualViewport(!twoPanes && userId !== null);

  // Back in the list, the focus returns to the row that was open.
  const lastUserId = useRef<string | null>(null);
  useEffect(() => {
    if (userId === null && lastUserId.current !== null) list.current?.focusRow(lastUserId.current);
    lastUserId.current = userId;
  }, [userId]);

  function open(id: string, how: 'press' | 'arrow'): void {
    requestFieldFocus(how === 'press');
    params.open(id, { step: how === 'arrow' });
  }

  useInboxShortcuts({
    close: () => {
      if (userId !== null) params.close();
    },
    focusSearch: () => searchField.current?.focus(),
    openNeighbour: (by, writing) => {
      const neighbour = list.current?.neighbour(by);
      if (neighbour === undefined) return false;
      // Where the list is the whole screen, a key first chooses a row; Enter opens it.
      if (!twoPanes && userId === null) {
        list.current?.focusRow(neighbour);
        return true;
      }
      requestFieldFocus(writing);
      params.open(neighbour, { step: true });
      return true;
    },
  });

  const listHidden = !twoPanes && userId !== null;
  return (
    <div className={classes['inbox']} data-two-panes={twoPanes || undefined}>
      {/* Hidden, not removed, so that its scroll position stays. */}
      <div className={classes['list']} style={listHidden ? { visibility: 'hidden' } : undefined} inert={listHidden}>
        <ListPane
          chatSession={chatSession}
          only={params.only}
          selectedId={userId}
          opensOnArrow={twoPanes}
          linkTargetOf={(id) => ({ search: inboxSearch({ userId: id, only: params.only }) })}
          onOpen={open}
          onFilterChange={params.setFilter}
          handle={list}
          searchRef={searchField}
        />
      </div>
      {userId !== null && chatSession ? (
        <div
          className={classes['conversation']}
          // Above the keyboard of a phone, not behind it.
          style={
            viewport ? { position: 'fixed', top: viewport.top, bottom: 'auto', height: viewport.height } : undefined
          }
        >
          <ConversationPane
            key={userId}
            chatSession={chatSession}
            userId={userId}
            isSinglePane={!twoPanes}
            fieldFocusRequests={fieldFocusRequests}
            onBack={() => params.close()}
          />
        </div>
      ) : null}
      {userId === null && twoPanes ? (
        <div className={classes['noConversation']}>
          <EmptyState icon={IconMessages} title="Pilih user untuk chat" description={<KeyboardShortcuts />} />
        </div>
      ) : null}
    </div>
  );
}
