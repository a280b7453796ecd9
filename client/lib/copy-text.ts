/**
 * Copies the text of an element. Browsers give their clipboard to https addresses only; elsewhere the text is selected, and copied
 * in the old way where that still works.
 * @returns `selected`: the person has to copy what is selected now
 */
export async function copyText(element: HTMLElement): Promise<'copied' | 'selected'> {
  if (window.isSecureContext && 'clipboard' in navigator) {
    try {
      await navigator.clipboard.writeText(element.textContent);
      return 'copied';
    } catch {
      // Refused by the browser's settings; the old way may do.
    }
  }
  window.getSelection()?.selectAllChildren(element);
  try {
    return document.execCommand('copy') ? 'copied' : 'selected';
  } catch {
    return 'selected';
  }
}
