import { readReplies, removeReply } from '#client/lib/notifications/device-store.ts';
import { oneAtATime } from '#client/lib/notifications/one-at-a-time.ts';
import { replyTag } from '#client/lib/notifications/show-once.ts';
import { isWorkerMessage } from '#client/lib/notifications/worker-messages.ts';
import { changeDraft } from '../drafts/drafts.ts';
import type { ChatCurrentUser, ChatStore } from '../state/chat-state.ts';
import { conversationsAtom, listAtom, readConversation, totalUnreadAtom } from '../state/selectors.ts';

type Deps = { registration: ServiceWorkerRegistration; store: ChatStore; currentUser: ChatCurrentUser };

/** A service worker that was ended while it sent an answer cannot say so. */
const SENDING_MAX_MS = 120_000;

/** The number on the icon of the installed app (R-PUSH-43). @returns the undo */
function bindBadge({ store, currentUser }: Deps): () => void {
  if (!('setAppBadge' in navigator)) return () => {};
  let shown: number | null = null;
  const update = (): void => {
    const isKnown =
      currentUser.side === 'user'
        ? readConversation(store, currentUser.id).loaded
        : store.get(listAtom).totalUnread !== null;
    const count = store.get(totalUnreadAtom);
    if (!isKnown || count === shown) return;
    shown = count;
    // An app that is not installed has no icon.
    (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  };
  const undos = [store.sub(totalUnreadAtom, update), store.sub(conversationsAtom, update)];
  update();
  return () => {
    for (const undo of undos) undo();
  };
}

/** Puts answers that a notification could not send into the drafts of their conversations (R-PUSH-46). @returns the undo */
function bindKeptReplies({ registration, store, currentUser }: Deps): () => void {
  let waitsForConversation = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function take(): Promise<void> {
    waitsForConversation = false;
    for (const { id, userId, content, at, failed } of await readReplies(currentUser.id)) {
      if (isStopped) return;
      // Somebody may have set the clock back.
      const sendingLeftMs = failed ? 0 : SENDING_MAX_MS - Math.abs(Date.now() - at);
      if (sendingLeftMs > 0) {
        clearTimeout(timer);
        timer = setTimeout(takeAll, sendingLeftMs);
        continue;
      }
      const { loaded, messages } = readConversation(store, currentUser.side === 'user' ? currentUser.id : userId);
      if (!loaded) {
        waitsForConversation = true;
        continue;
      }
      // The server may have stored it although its answer never came.
      if (!messages.some(({ client_id }) => client_id === id))
        changeDraft(currentUser.id, userId, 'answer', (typed) =>
          typed.trim() === '' ? content : `${typed.trimEnd()}\n${content}`,
        );
      await removeReply(id);
      // Somebody who looks elsewhere has not seen yet that it was not sent.
      if (document.visibilityState !== 'visible' || !document.hasFocus()) continue;
      for (const notification of await registration.getNotifications({ tag: replyTag(userId) })) notification.close();
    }
  }
  // Two tabs would write it twice.
  const takeAll = (): void =>
    void oneAtATime('replies', take).catch((error: unknown) => console.warn('Balasan dari notifikasi', error));

  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    if (isWorkerMessage(data) && data.type === 'reply-kept') takeAll();
  };
  navigator.serviceWorker.addEventListener('message', onMessage);
  const unsubscribe = store.sub(conversationsAtom, () => {
    if (waitsForConversation) takeAll();
  });
  takeAll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    navigator.serviceWorker.removeEventListener('message', onMessage);
    unsubscribe();
  };
}

/** Connects a page with the service worker for the signed-in account: badge and kept replies. @returns the undo */
export function bindWorkerState(deps: Deps): () => void {
  const undos = [bindBadge(deps), bindKeptReplies(deps)];
  return () => {
    for (const undo of undos) undo();
  };
}
