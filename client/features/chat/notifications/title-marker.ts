import { showFaviconBadge } from './favicon-badge.ts';

const MARKER = /^\(\d+\) /;

/** The number of unseen messages at the start of the tab's title and on its icon, until the tab has the focus (R-CHAT-24). */
export function createTitleMarker() {
  const unseen = new Map<number, string>();

  function updateTitle(): void {
    const plain = document.title.replace(MARKER, '');
    const wanted = unseen.size > 0 ? `(${unseen.size}) ${plain}` : plain;
    if (document.title !== wanted) document.title = wanted;
    showFaviconBadge(unseen.size);
  }
  // A page that sets its own title overwrites the number.
  const observer = new MutationObserver(updateTitle);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });

  function clear(): void {
    unseen.clear();
    updateTitle();
  }
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'visible') clear();
  };
  window.addEventListener('focus', clear);
  document.addEventListener('visibilitychange', onVisibilityChange);

  return {
    markUnseen(messageId: number, userId: string): void {
      if (document.visibilityState === 'visible' && document.hasFocus()) return;
      unseen.set(messageId, userId);
      updateTitle();
    },
    /** Read in another tab, or by another admin. */
    removeSeen: (userId: string, upTo: number): void => {
      for (const [messageId, senderUserId] of unseen)
        if (senderUserId === userId && messageId <= upTo) unseen.delete(messageId);
      updateTitle();
    },
    stop(): void {
      observer.disconnect();
      window.removeEventListener('focus', clear);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      clear();
    },
  };
}
