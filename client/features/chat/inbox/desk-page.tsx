import { useMediaQuery } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useChatClient } from '../session/use-chat.ts';
import { useVisibleArea } from '../widget/use-visible-area.ts';
import { ConversationPane } from './conversation/conversation-pane.tsx';
import { searchOf, useDeskPlace } from './desk-place.ts';
import classes from './desk.module.css';
import type { ListHandle } from './list/conversation-list.tsx';
import { KeyHints } from './key-hints.tsx';
import { ListPane } from './list/list-pane.tsx';
import { useDeskKeys } from './use-desk-keys.ts';

/** Room for list and conversation beside each other; below that they are two views. */
const TWO_PANES = '(min-width: 48em)';

/** /admin/chat: every resident's conversation, many at a time. */
export function DeskPage() {
  usePageTitle('Chat');
  const client = useChatClient();
  const place = useDeskPlace();
  const twoPanes = useMediaQuery(TWO_PANES, true, { getInitialValueInEffect: false });
  const list = useRef<ListHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  // How often somebody wanted to write here: a press on a row does, a keyboard that walks along the list stays there.
  const [writes, setWrites] = useState(0);
  const want = (writing: boolean) => setWrites((times) => (writing && twoPanes ? times + 1 : 0));
  const { userId } = place;
  const area = useVisibleArea(!twoPanes && userId !== null);

  // Back in the list, the focus is where it left.
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (userId === null && last.current !== null) list.current?.focus(last.current);
    last.current = userId;
  }, [userId]);

  function open(id: string, how: 'press' | 'arrow'): void {
    want(how === 'press');
    place.open(id, { step: how === 'arrow' });
  }

  useDeskKeys({
    back: () => {
      if (userId !== null) place.close();
    },
    search: () => searchField.current?.focus(),
    step: (by, writing) => {
      const neighbour = list.current?.neighbour(by);
      if (neighbour === undefined) return false;
      want(writing);
      place.open(neighbour, { step: true });
      return true;
    },
  });

  const listHidden = !twoPanes && userId !== null;
  return (
    <div className={classes['desk']} data-two-panes={twoPanes || undefined}>
      {/* Out of sight it keeps its place: on the way back nothing has moved. */}
      <div className={classes['list']} style={listHidden ? { visibility: 'hidden' } : undefined} inert={listHidden}>
        <ListPane
          client={client}
          only={place.only}
          selectedId={userId}
          opensOnArrow={twoPanes}
          toOf={(id) => ({ search: searchOf({ userId: id, only: place.only }) })}
          onOpen={open}
          onShow={place.show}
          handle={list}
          searchRef={searchField}
        />
      </div>
      {userId !== null && client ? (
        <div
          className={classes['conversation']}
          // Above a phone's keyboard, not behind it.
          style={area ? { position: 'fixed', top: area.top, bottom: 'auto', height: area.height } : undefined}
        >
          <ConversationPane
            key={userId}
            client={client}
            userId={userId}
            alone={!twoPanes}
            wantsField={writes}
            onBack={() => place.close()}
          />
        </div>
      ) : null}
      {userId === null && twoPanes ? (
        <div className={classes['nobody']}>
          <EmptyState icon={IconMessages} title="Pilih user untuk chat" description={<KeyHints />} />
        </div>
      ) : null}
    </div>
  );
}
