const MARKER = /^\(\d+\) /;

/** The number of unseen messages in front of the tab's title, until somebody looks at the tab (specification 4). */
export function createTitleMarker() {
  const unseen = new Map<number, string>();

  function draw(): void {
    const plain = document.title.replace(MARKER, '');
    const wanted = unseen.size > 0 ? `(${unseen.size}) ${plain}` : plain;
    if (document.title !== wanted) document.title = wanted;
  }
  // A page that names itself anew knows nothing of the marker.
  const observer = new MutationObserver(draw);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });

  function clear(): void {
    unseen.clear();
    draw();
  }
  const onLook = (): void => {
    if (document.visibilityState === 'visible') clear();
  };
  window.addEventListener('focus', clear);
  document.addEventListener('visibilitychange', onLook);

  return {
    mark(messageId: number, userId: string): void {
      if (document.visibilityState === 'visible' && document.hasFocus()) return;
      unseen.set(messageId, userId);
      draw();
    },
    /** Read in another tab or by a colleague. */
    seen: (userId: string, upTo: number): void => {
      for (const [messageId, of] of unseen) if (of === userId && messageId <= upTo) unseen.delete(messageId);
      draw();
    },
    stop(): void {
      observer.disconnect();
      window.removeEventListener('focus', clear);
      document.removeEventListener('visibilitychange', onLook);
      clear();
    },
  };
}
