import { Button } from '@mantine/core';
import { IconArrowDown, IconMessages } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'jotai';
import type { Message } from '#shared/api/chat/chat.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import type { ChatSession } from '../session/chat-session.ts';
import { lastIdNumber, idNumberOf, sideOfMessage } from '../state/model/conversation.ts';
import { requestQuote } from '../drafts/quote-drafts.ts';
import type { ChatStore } from '../state/chat-state.ts';
import { badgeText, jumpsAtom, readConversation } from '../state/selectors.ts';
import { useConversation, useJump, useOutbox, useTypists } from '../session/use-chat.ts';
import { BeforeUpdate, useThreadScroll } from './use-thread-scroll.ts';
import { IncomingAnnouncer } from './notices/incoming-announcer.tsx';
import { JumpNotice } from './notices/jump-notice.tsx';
import { LoadNotice } from './notices/load-notice.tsx';
import { handleMessageKey } from './message-keys.ts';
import { ThreadPhotos } from './thread-photos.tsx';
import { ThreadItems } from './thread-items.tsx';
import { extrasBetween, groupThreadItems, type ThreadExtra } from './group-thread-items.ts';
import classes from './thread.module.css';
import { TypingIndicator } from './notices/typing-indicator.tsx';
import { useUnreadLine } from './unread-line.ts';
import { useMessageWindow } from './use-message-window.ts';

type Props = {
  chatSession: ChatSession;
  /** The conversation, by its user's id. */
  userId: string;
  /** The accessible name of the list of messages. */
  label?: string;
  /** Shown while there are no messages. */
  emptyTitle: string;
  emptyText?: string | undefined;
  /** Shows names above messages of admins, also on their own side, because several admins answer. */
  showSenders?: boolean;
  /** Drawn between the messages, in the order of time. */
  extras?: readonly ThreadExtra[];
  /** Whether there is a field for an answer that could quote a message. */
  canQuote?: boolean;
  /** Something else stands in its place: nothing in it is being read. */
  isHidden?: boolean;
};

const noExtras: readonly ThreadExtra[] = [];

/** The current time, updated every minute: at midnight 'Hari ini' becomes 'Kemarin'. */
function useIntervalNow(everyMs = 60_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

/** A loaded message, also one of the part that a jump has loaded. */
function findMessage(store: ChatStore, userId: string, messageId: string): Message | undefined {
  const around = store.get(jumpsAtom)[userId]?.segment?.messages ?? [];
  return [...readConversation(store, userId).messages, ...around].find(({ _id }) => _id === messageId);
}

/** An open conversation: its messages, unsent messages, and the typing indicator. */
export function Thread(props: Props) {
  const {
    chatSession,
    userId,
    label = 'Percakapan',
    emptyTitle,
    emptyText,
    showSenders = false,
    extras = noExtras,
    canQuote = true,
    isHidden = false,
  } = props;
  const { side, id: currentUserId } = chatSession.currentUser;
  const conversation = useConversation(userId);
  const unsent = useOutbox(userId);
  const typists = useTypists(userId);
  const nowMs = useIntervalNow();
  const scrollBox = useRef<HTMLDivElement>(null);
  const jump = useJump(userId);
  const { loadState } = conversation;
  // Messages around a found one are shown before the newest messages are there.
  const loaded = conversation.loaded || (jump !== null && jump.segment !== null);
  const lastMessageId = lastIdNumber(conversation);
  const messageWindow = useMessageWindow(chatSession, userId, conversation, jump);
  const { messages, range, hasNewest, hasOlder, olderLoadState, error } = messageWindow;
  const { atBottom, onScroll, beforeUpdate, scrollToBottom, showMessage } = useThreadScroll(scrollBox, {
    hasNewest,
    onLeaveEnd: messageWindow.hold,
    onReachEnd: messageWindow.showLatest,
    onNearTop: messageWindow.extendUp,
    onNearEnd: messageWindow.extendDown,
  });
  const isReading = !isHidden && (jump === null || jump.loadState === 'none');
  const isAtEnd = atBottom && hasNewest && conversation.loaded && isReading;
  const firstUnreadId = useUnreadLine(conversation, messages, side);

  useEffect(() => chatSession.open(userId), [chatSession, userId]);
  useEffect(() => () => chatSession.endJump(userId), [chatSession, userId]);
  const { loaded: isNewestLoaded } = conversation;
  // Also when the newest messages come while an old one is shown: an answer to that has to say up to where (R-REPLY-5).
  useEffect(() => chatSession.watch(userId, isAtEnd), [chatSession, userId, isAtEnd, isNewestLoaded]);
  useEffect(() => () => chatSession.unwatch(userId), [chatSession, userId]);

  const { arrivedJump } = messageWindow;
  const foundId = jump && arrivedJump > 0 ? String(jump.targetId) : undefined;
  useLayoutEffect(() => {
    if (arrivedJump > 0 && foundId !== undefined) showMessage(foundId);
    // Once for each jump: afterwards the reader scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [arrivedJump]);

  function toLatest(): void {
    chatSession.endJump(userId);
    scrollToBottom();
  }

  const [lastIdAtBottom, setLastIdAtBottom] = useState(lastMessageId);
  if (atBottom && lastIdAtBottom !== lastMessageId) setLastIdAtBottom(lastMessageId);
  const newest = conversation.messages;
  const newBelowCount = newest
    .slice(newest.findLastIndex((message) => idNumberOf(message) <= lastIdAtBottom) + 1)
    .filter((message) => sideOfMessage(message) !== side).length;

  // After sending, the new message has to be visible.
  const newestUnsent = unsent.at(-1)?.client_id;
  const handledUnsent = useRef(newestUnsent);
  useEffect(() => {
    if (newestUnsent === handledUnsent.current) return;
    handledUnsent.current = newestUnsent;
    if (newestUnsent !== undefined) toLatest();
    // The function is another one at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [newestUnsent]);

  const store = useStore();
  // The same function at every render, so that no bubble is drawn again.
  const quoteMessage = useCallback(
    (messageId: string): void => {
      const chosen = findMessage(store, userId, messageId);
      if (chosen && chosen.kind !== 'notice') requestQuote(userId, chosen);
    },
    [store, userId],
  );

  const renewMessage = useCallback(
    async (messageId: string): Promise<Message | undefined> => {
      await chatSession.renewMessage(userId, messageId);
      return findMessage(store, userId, messageId);
    },
    [chatSession, store, userId],
  );

  const [openPhotoId, setOpenPhotoId] = useState<string | null>(null);
  const closePhoto = useCallback(() => setOpenPhotoId(null), []);

  const openMessage = useCallback(
    (messageId: string) => chatSession.jumpToMessage(userId, messageId),
    [chatSession, userId],
  );

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (handleMessageKey(event, canQuote ? quoteMessage : () => undefined)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    // The end of the box is not the end of the conversation while the newest messages are not in the page.
    if (key === 'End' && !hasNewest && !(ctrlKey || metaKey || altKey || shiftKey)) toLatest();
  }

  const shown = messages.slice(range.from, range.to);
  const before = messages[range.from - 1];
  const place = { before, isFirst: range.from === 0 && !hasOlder, isLast: hasNewest };
  const items = groupThreadItems({
    messages: shown,
    before,
    extras: loaded ? extrasBetween(extras, shown, place) : [],
    unsent: hasNewest ? unsent : [],
    firstUnreadId,
    currentUserId,
  });
  const toLatestWord = jump?.segment ? 'Kembali ke terbaru' : 'Ke bawah';
  const toLatestLabel = newBelowCount > 0 ? `${toLatestWord}, ${newBelowCount} pesan baru` : toLatestWord;
  return (
    <div className={classes['thread']}>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- End reaches beyond what is in the page */}
      <div
        ref={scrollBox}
        className={classes['box']}
        role="log"
        aria-label={label}
        // IncomingAnnouncer speaks what is new.
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <BeforeUpdate onBeforeUpdate={beforeUpdate}>
          <div className={classes['content']}>
            {loaded ? null : (
              <LoadNotice
                busy={loadState === 'busy'}
                error={error}
                busyText="Memuat percakapan…"
                failedText="Gagal memuat percakapan"
                onRetry={() => chatSession.refresh(userId)}
              />
            )}
            {/* Always there, because being near it starts the load: so nothing moves when that begins or ends. */}
            {loaded && hasOlder && range.from === 0 ? (
              <div className={classes['older']}>
                <LoadNotice
                  busy={olderLoadState === 'busy'}
                  error={olderLoadState === 'failed' ? error : null}
                  busyText="Memuat pesan sebelumnya…"
                  failedText="Gagal memuat pesan sebelumnya"
                  onRetry={messageWindow.readOlder}
                  quiet
                />
              </div>
            ) : null}
            {conversation.loaded && items.length === 0 ? (
              <div className={classes['empty']}>
                <EmptyState title={emptyTitle} description={emptyText} icon={IconMessages} />
              </div>
            ) : null}
            <ThreadItems
              chatSession={chatSession}
              conversation={conversation}
              items={items}
              nowMs={nowMs}
              showSenders={showSenders}
              onQuote={canQuote ? quoteMessage : undefined}
              onOpenQuoted={openMessage}
              onOpenPhoto={setOpenPhotoId}
              onRenew={renewMessage}
              foundId={foundId}
            />
            {messageWindow.isBeforeGap ? (
              <div className={classes['newer']}>
                <LoadNotice
                  busy={messageWindow.newerLoadState === 'busy'}
                  error={messageWindow.newerLoadState === 'failed' ? error : null}
                  busyText="Memuat pesan berikutnya…"
                  failedText="Gagal memuat pesan berikutnya"
                  onRetry={messageWindow.readNewer}
                  quiet
                />
              </div>
            ) : null}
            <TypingIndicator typists={typists} />
          </div>
        </BeforeUpdate>
      </div>
      <ThreadPhotos
        messages={messages}
        currentUserId={currentUserId}
        openId={openPhotoId}
        onMove={setOpenPhotoId}
        onClose={closePhoto}
        onRenew={renewMessage}
      />
      <JumpNotice chatSession={chatSession} userId={userId} jump={jump} />
      <IncomingAnnouncer messages={newest} loaded={conversation.loaded} currentUserId={currentUserId} />
      {atBottom ? null : (
        <Button
          className={classes['toBottom'] ?? ''}
          size="compact-md"
          radius="xl"
          leftSection={<IconArrowDown size={18} aria-hidden />}
          aria-label={toLatestLabel}
          onClick={toLatest}
        >
          {toLatestWord}
          {newBelowCount > 0 ? ` (${badgeText(newBelowCount)})` : ''}
        </Button>
      )}
    </div>
  );
}
