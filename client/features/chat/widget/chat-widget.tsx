import { useMediaQuery } from '@mantine/hooks';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { onQuestion, takeQuestion } from '#client/lib/session/ask-admin.ts';
import { useDockedPanel } from '#client/ui/screen/docked-panel.ts';
import { useCloseOnBack } from '#client/ui/page/use-close-on-back.ts';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import { onErasePrivateData } from '#client/lib/session/private-data.ts';
import { accountIdOf, useSession } from '#client/lib/session/session.ts';
import { writeRecordDraft } from '../drafts/record-draft.ts';
import { changeDraft } from '../drafts/drafts.ts';
import { totalUnreadAtom } from '../state/selectors.ts';
import { useChatSession, useConversation } from '../session/use-chat.ts';
import { Launcher } from './launcher.tsx';

const OPEN_PARAM = 'obrolan';

/**
 * The account that wanted to open the chat and has not seen it yet. If the session turns out to have ended, the chat is open for
 * the same account after the login.
 */
let wantedBy: string | null = null;
onErasePrivateData(() => {
  wantedBy = null;
});

/** Opens the chat for an address that a notification or a shortcut of the installed app leads to, once (R-PUSH-44). */
function useOpenFromUrl(open: () => void): void {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const user = useSession()?.user;
  const accountId = user ? accountIdOf(user) : '';
  const { loaded } = useConversation(accountId);
  const hasOpened = useRef(false);
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (params.has(OPEN_PARAM)) {
      wantedBy = accountId;
      hasOpened.current = false;
      params.delete(OPEN_PARAM);
      const rest = params.toString();
      void navigate(pathname + (rest === '' ? '' : `?${rest}`), { replace: true, state, preventScrollReset: true });
      return;
    }
    if (wantedBy !== accountId) return;
    // Only now: the open chat may add an entry to the browser's history, with the address that a reload should find.
    if (!hasOpened.current) open();
    hasOpened.current = true;
    if (loaded) wantedBy = null;
  }, [pathname, search, state, accountId, loaded, navigate, open]);
}

/** A draft with the beginning of a question; what was typed before stays, and the same question stands there once. */
export function addQuestion(draft: string, question: string): string {
  const typed = draft.trimEnd();
  if (typed === '') return question;
  return typed.includes(question.trimEnd()) ? draft : `${typed}\n${question}`;
}

/** Without space for a page beside it, the panel fills the screen. */
const SMALL_SCREEN = '(max-width: 47.99em), (max-height: 30em)';
/** From here on the page has enough space at its side; on narrower screens the panel stands below it. */
const WIDE_SCREEN = '(min-width: 64em)';
/** After the page has settled, so that the panel is available even if the connection is lost before it is opened. */
const PREFETCH_DELAY_MS = 2500;

const loadPanel = async () => (await import('./chat-panel.tsx')).ChatPanel;

function useIsSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), PREFETCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

/** The chat of a user: a floating button and the panel that it opens. */
export function ChatWidget() {
  const chatSession = useChatSession();
  const unreadCount = useAtomValue(totalUnreadAtom);
  const isSmallScreen = useMediaQuery(SMALL_SCREEN, false, { getInitialValueInEffect: false });
  const isWideScreen = useMediaQuery(WIDE_SCREEN, false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const launcher = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);

  const close = useCallback(() => setOpen(false), []);
  const { Component: Panel } = useLazyOverlay(loadPanel, {
    wanted: open,
    early: useIsSettled(),
    failure: 'Live Chat gagal dimuat',
    onCancel: close,
  });
  const isPanelShown = open && chatSession !== null && Panel !== null;
  const place = isSmallScreen ? 'full' : isWideScreen ? 'side' : 'bottom';
  useDockedPanel(isPanelShown && place !== 'full' ? place : null);
  useCloseOnBack(isPanelShown && isSmallScreen, close, 'chat');
  // Grows each time the field must get the focus: another page has begun a question, or a notification was pressed.
  const [questionCount, setQuestionCount] = useState(0);
  const openToWrite = useCallback((): void => {
    setQuestionCount((count) => count + 1);
    setOpen(true);
  }, []);
  useEffect(
    () => chatSession?.onOpenRequest((_userId, { write }) => (write ? openToWrite() : setOpen(true))),
    [chatSession, openToWrite],
  );
  useOpenFromUrl(openToWrite);
  useEffect(() => {
    if (!chatSession) return undefined;
    const { id } = chatSession.currentUser;
    const takeOver = (): void => {
      const question = takeQuestion();
      if (question === null) return;
      changeDraft(id, id, 'answer', (text) => addQuestion(text, question.text));
      if (question.record) writeRecordDraft(id, id, question.record);
      openToWrite();
    };
    takeOver();
    return onQuestion(takeOver);
  }, [chatSession, openToWrite]);
  // The button may have appeared only with this render.
  useEffect(() => {
    if (wasOpen.current && !open) launcher.current?.focus();
    wasOpen.current = open;
  }, [open]);

  return (
    <>
      {isPanelShown ? (
        <Panel chatSession={chatSession} place={place} questionCount={questionCount} onClose={close} />
      ) : (
        <Launcher ref={launcher} loading={open} unreadCount={unreadCount} onClick={() => setOpen(true)} />
      )}
    </>
  );
}
