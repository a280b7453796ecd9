/**
 * Copies the text of an element. Browsers offer `navigator.clipboard` to https addresses only.
 * Elsewhere the text is selected and copied by the older `execCommand`, where that still works.
 * @returns `selected` when the user has to copy the selection
 */
export async function copyText(element: HTMLElement): Promise<'copied' | 'selected'> {
  if (window.isSecureContext && 'clipboard' in navigator) {
    try {
      await navigator.clipboard.writeText(element.textContent);
      return 'copied';
    } catch {
      // The browser's settings may refuse this; `execCommand` may still work.
    }
  }
  window.getSelection()?.selectAllChildren(element);
  try {
    return document.execCommand('copy') ? 'copied' : 'selected';
  } catch {
    return 'selected';
  }
}
