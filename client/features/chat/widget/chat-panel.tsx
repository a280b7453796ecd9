import { CloseButton, FocusTrap, Text, Title } from '@mantine/core';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useAtomValue } from 'jotai';
import type { Dock } from '#client/ui/screen/docked-panel.ts';
import { OfficeLine } from '#client/features/office/display/office-line.tsx';
import { presenceText } from '#client/features/office/display/office-text.ts';
import { useOffice } from '#client/features/office/display/use-office.ts';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { useOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useIsOverlayKey } from '#client/ui/keys/page-keys.ts';
import { ShareRecordHost } from '../cards/share/share-record.tsx';
import { Composer } from '../thread/composer/composer.tsx';
import { ConnectionNotice } from '../thread/notices/connection-notice.tsx';
import { Thread } from '../thread/thread.tsx';
import type { ChatSession } from '../session/chat-session.ts';
import { useConversation, useOutbox } from '../session/use-chat.ts';
import { AskPush } from './ask-push.tsx';
import classes from './chat-panel.module.css';
import { PanelSearch, PanelSearchButton } from './panel-search.tsx';
import { useVisualViewport } from '../thread/use-visual-viewport.ts';
import { connectionHealthAtom, isOnlineAtom } from '../state/selectors.ts';
import { useIsSlow } from '../thread/notices/use-is-slow.ts';

type ConnectionLabel = 'Online' | 'Offline' | 'Menghubungkan…';

/**
 * Whether this page is connected (R-CHAT-17). Only before the first answer there is a third text, for three seconds at most.
 */
function useConnectionLabel(): ConnectionLabel {
  const online = useAtomValue(isOnlineAtom);
  const { socketConnected, lastPollSucceeded } = useAtomValue(connectionHealthAtom);
  const isUnknown = !socketConnected && lastPollSucceeded === null;
  const isSlow = useIsSlow(isUnknown);
  if (online) return 'Online';
  return isUnknown && !isSlow ? 'Menghubungkan…' : 'Offline';
}

/** The dot with its text, and beside it what the office says while this page is connected. */
function ConnectionDot({ word: label, presence }: { word: ConnectionLabel; presence: ReactNode }) {
  return (
    // Below the title and the buttons, because what the office says may need two lines.
    <Text component="output" flex="0 0 100%" fz="sm">
      <span className={classes['dot']} data-online={label === 'Online' || undefined} aria-hidden />
      {label}
      {label === 'Online' && presence ? <span className={classes['presence']}>{presence}</span> : null}
    </Text>
  );
}

type Props = {
  chatSession: ChatSession;
  /** It fills a small screen; elsewhere the page makes room for it. */
  place: Dock | 'full';
  /** Grows each time the field must get the focus: a question was begun, or a notification was pressed. */
  questionCount?: number;
  onClose: () => void;
};

const greetedSessions = new WeakSet<ChatSession>();

/** Shows once per visit that the chat works, to a user who has not written yet (R-CHAT-16). */
function useGreeting(chatSession: ChatSession): void {
  const { loaded, messages } = useConversation(chatSession.currentUser.id);
  const unsent = useOutbox(chatSession.currentUser.id).length;
  useEffect(() => {
    if (!loaded || greetedSessions.has(chatSession)) return;
    greetedSessions.add(chatSession);
    if (messages.length + unsent === 0) notify.success('Chat siap! Anda akan mendapat notifikasi untuk pesan baru.');
  }, [chatSession, loaded, messages.length, unsent]);
}

/** The page under a full-screen panel must not scroll. */
function useScrollLock(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const { overflow } = document.body.style;
    document.body.style.overflow = 'hidden';
    return () => void (document.body.style.overflow = overflow);
  }, [active]);
}

/** The conversation of the user with the admins. */
export function ChatPanel({ chatSession, place, questionCount = 0, onClose }: Props) {
  const isFullScreen = place === 'full';
  const { id: currentUserId } = chatSession.currentUser;
  const titleId = useId();
  const viewport = useVisualViewport(isFullScreen);
  const connectionLabel = useConnectionLabel();
  const { office, atMs } = useOffice();
  const { name: officeName } = useOfficeIdentity();
  const waitingCount = useOutbox(currentUserId).filter(({ state }) => state === 'waiting').length;
  const [isSearching, setSearching] = useState(false);
  const [begunCount, setBegunCount] = useState(questionCount);
  if (questionCount !== begunCount) {
    setBegunCount(questionCount);
    setSearching(false);
  }
  // The results of a search replace it.
  useEffect(
    () => (isSearching ? undefined : chatSession.view(currentUserId)),
    [chatSession, currentUserId, isSearching],
  );
  const field = useRef<HTMLTextAreaElement>(null);
  const panel = useRef<HTMLDialogElement>(null);
  const isOverlayKey = useIsOverlayKey();
  useEffect(() => {
    if (questionCount === 0) return undefined;
    // After the focus trap and a closing menu, which move the focus, too.
    const timer = setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
    });
    return () => clearTimeout(timer);
  }, [questionCount]);
  useGreeting(chatSession);
  useScrollLock(isFullScreen);

  return (
    // As `innerRef`: a ref of its child would be replaced by the trap's own.
    <FocusTrap active={isFullScreen} innerRef={panel}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes from wherever the focus is inside */}
      <dialog
        open
        aria-modal={isFullScreen || undefined}
        aria-labelledby={titleId}
        className={`${classes['panel']} no-print`}
        data-place={place}
        data-drop-files
        style={viewport ? { top: viewport.top, height: viewport.height } : undefined}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isOverlayKey(event)) onClose();
        }}
      >
        <header className={classes['header']}>
          <Title order={2} id={titleId} flex={1} miw={0} fz="lg">
            Live Chat
          </Title>
          <PanelSearchButton isOpen={isSearching} onToggle={() => setSearching(!isSearching)} />
          <CloseButton
            size={44}
            iconSize={22}
            className={classes['headerButton'] ?? ''}
            aria-label="Tutup Live Chat"
            // On a phone, focus in the field would open the keyboard over the messages.
            data-autofocus={isFullScreen || undefined}
            onClick={onClose}
          />
          {officeName === '' ? null : (
            <Text flex="0 0 100%" mb="0.125rem" fz="sm" fw={600} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
              {officeName}
            </Text>
          )}
          <ConnectionDot word={connectionLabel} presence={office && presenceText(office, atMs, SERVER_TIME_ZONE)} />
        </header>
        <OfficeLine office={office} atMs={atMs} />
        {office?.open === false ? <OfficeContact className={classes['contact']} /> : null}
        {isSearching ? (
          <PanelSearch
            onOpen={(messageId) => {
              setSearching(false);
              chatSession.jumpToMessage(currentUserId, messageId);
            }}
            onClose={() => setSearching(false)}
          />
        ) : null}
        <Thread
          chatSession={chatSession}
          userId={currentUserId}
          label="Percakapan dengan admin"
          emptyTitle="Mulai percakapan dengan admin"
          emptyText="Tanyakan apa saja tentang PBB Anda. Petugas kami menjawab di sini."
          showSenders
          isHidden={isSearching}
        />
        <AskPush
          userId={currentUserId}
          // On a phone, focus in the field would open the keyboard over the messages.
          onClosed={() =>
            (isFullScreen ? panel.current?.querySelector<HTMLElement>('[role="log"]') : field.current)?.focus()
          }
        />
        <ConnectionNotice offline={connectionLabel === 'Offline'} waiting={waitingCount} />
        <Composer
          ref={field}
          chatSession={chatSession}
          userId={currentUserId}
          placeholder="Ketik pesan..."
          autoFocus={!isFullScreen}
        />
        <ShareRecordHost userId={currentUserId} focusField={() => field.current?.focus()} />
      </dialog>
    </FocusTrap>
  );
}
