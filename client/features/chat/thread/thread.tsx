import { Button } from '@mantine/core';
import { IconArrowDown, IconMessages } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import type { ChatClient } from '../session/client.ts';
import { lastId, numberOf, sideOfMessage } from '../session/conversation.ts';
import { badgeText } from '../session/state.ts';
import { useConversation, useOutbox, useTypists } from '../session/use-chat.ts';
import { LoadNotice } from './load-notice.tsx';
import { ThreadItems } from './thread-items.tsx';
import { threadItems } from './build-items.ts';
import classes from './thread.module.css';
import { TypingLine } from './typing-line.tsx';
import { useNow } from './use-now.ts';
import { useStickyScroll } from './use-sticky-scroll.ts';

type Props = {
  client: ChatClient;
  /** Whose conversation, by its resident. */
  userId: string;
  /** The accessible name of the messages. */
  label?: string;
  /** Shown while nothing was written yet. */
  emptyTitle: string;
  emptyText?: string;
  /** Names above the messages of the office, also those of this side: several people answer. */
  showSenders?: boolean;
};

/** So near to the top the page before is on its way before anybody sees the end. */
const OLDER_WITHIN_PX = 240;

/** A conversation that is open: its messages, what is not sent yet, and who types. */
export function Thread(props: Props) {
  const { client, userId, label = 'Percakapan', emptyTitle, emptyText, showSenders = false } = props;
  const { side, selfId } = client.identity;
  const conversation = useConversation(userId);
  const unsent = useOutbox(userId);
  const typists = useTypists(userId);
  const nowMs = useNow();
  const box = useRef<HTMLDivElement>(null);
  const { atBottom, onScroll, toBottom } = useStickyScroll(box);
  const { messages, loaded, load, error, hasOlder, older } = conversation;
  const last = lastId(conversation);

  useEffect(() => client.open(userId), [client, userId]);
  useEffect(() => client.watch(userId, atBottom && loaded), [client, userId, atBottom, loaded]);
  useEffect(() => () => client.unwatch(userId), [client, userId]);

  const [leftAt, setLeftAt] = useState(last);
  if (atBottom && leftAt !== last) setLeftAt(last);
  const missed = messages.filter((message) => numberOf(message) > leftAt && sideOfMessage(message) !== side).length;

  // Whoever sends wants to see it sent.
  const newestUnsent = unsent.at(-1)?.client_id;
  const sentUpTo = useRef(newestUnsent);
  useEffect(() => {
    if (newestUnsent === sentUpTo.current) return;
    sentUpTo.current = newestUnsent;
    if (newestUnsent !== undefined) toBottom();
  }, [newestUnsent, toBottom]);

  function handleScroll(): void {
    onScroll();
    const nearTop = (box.current?.scrollTop ?? Infinity) < OLDER_WITHIN_PX;
    if (nearTop && hasOlder && older === 'none') void client.readOlder(userId);
  }

  const items = threadItems(messages, unsent, selfId);
  const toBottomLabel = missed > 0 ? `Ke bawah, ${missed} pesan baru` : 'Ke bawah';
  return (
    <div className={classes['thread']}>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={box} className={classes['box']} role="log" aria-label={label} tabIndex={0} onScroll={handleScroll}>
        <div className={classes['content']}>
          {loaded ? null : (
            <LoadNotice
              busy={load === 'busy'}
              error={error}
              busyText="Memuat percakapan…"
              failedText="Gagal memuat percakapan"
              onRetry={() => void client.refresh(userId)}
            />
          )}
          {hasOlder && older !== 'none' ? (
            <LoadNotice
              busy={older === 'busy'}
              error={older === 'failed' ? error : null}
              busyText="Memuat pesan sebelumnya…"
              failedText="Gagal memuat pesan sebelumnya"
              onRetry={() => void client.readOlder(userId)}
            />
          ) : null}
          {loaded && items.length === 0 ? (
            <div className={classes['empty']}>
              <EmptyState title={emptyTitle} description={emptyText} icon={IconMessages} />
            </div>
          ) : null}
          <ThreadItems
            client={client}
            conversation={conversation}
            items={items}
            nowMs={nowMs}
            showSenders={showSenders}
          />
          <TypingLine people={typists} />
        </div>
      </div>
      {atBottom ? null : (
        <Button
          className={classes['toBottom'] ?? ''}
          size="compact-md"
          radius="xl"
          leftSection={<IconArrowDown size={18} aria-hidden />}
          aria-label={toBottomLabel}
          onClick={toBottom}
        >
          Ke bawah{missed > 0 ? ` (${badgeText(missed)})` : ''}
        </Button>
      )}
    </div>
  );
}
