import icon from '#client/favicon.svg?raw';
import { BADGE_MAX } from '#shared/limits.ts';

const MARKER = /^\(\d+\) /;

/** The tab's icon with a number on it; from the size of a tab on, more than one digit and a plus cannot be read. */
function drawBadge(count: number): string {
  const text = count > BADGE_MAX ? `${BADGE_MAX}+` : String(count);
  const badge =
    '<circle cx="21.5" cy="21.5" r="10.5" fill="#d92d20" stroke="#fff" stroke-width="1.5"/>' +
    `<text x="21.5" y="26.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="${
      text.length > 1 ? 12 : 15
    }" fill="#fff">${text}</text>`;
  return `data:image/svg+xml,${encodeURIComponent(icon.replace('</svg>', `${badge}</svg>`))}`;
}

let plainHref: string | null = null;

/** Draws the number of unseen messages onto the icon of the tab; 0 brings the plain icon back. Needs no https. */
function showFaviconBadge(count: number): void {
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link || (count === 0 && plainHref === null)) return;
  plainHref ??= link.href;
  const href = count === 0 ? plainHref : drawBadge(count);
  if (link.href !== href) link.href = href;
}

/** Writes the number of unseen messages into the title. A page that sets its own title overwrites it. */
function updateTitle(count: number): void {
  const plain = document.title.replace(MARKER, '');
  const wanted = count > 0 ? `(${count}) ${plain}` : plain;
  if (document.title !== wanted) document.title = wanted;
  showFaviconBadge(count);
}

/** The number of unseen messages at the start of the tab's title and on its icon, until the tab has the focus (R-CHAT-24). */
export function createTitleMarker() {
  const unseen = new Map<number, string>();

  const observer = new MutationObserver(() => updateTitle(unseen.size));
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });

  function clear(): void {
    unseen.clear();
    updateTitle(unseen.size);
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
      updateTitle(unseen.size);
    },
    /** Read in another tab, or by another admin. */
    removeSeen: (userId: string, upTo: number): void => {
      for (const [messageId, senderUserId] of unseen)
        if (senderUserId === userId && messageId <= upTo) unseen.delete(messageId);
      updateTitle(unseen.size);
    },
    stop(): void {
      observer.disconnect();
      window.removeEventListener('focus', clear);
      document.removeEventListener('visibilitychange', onVisibilityChange);
      clear();
    },
  };
}
export type TitleMarker = ReturnType<typeof createTitleMarker>;
