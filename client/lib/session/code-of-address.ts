/** The code behind the # of an address, which `client/public/boot.js` took away before anything else ran. It is kept in memory alone. */
const holder = globalThis as { pbbCode?: string | undefined };

/** Takes the code; it is given out once. */
export function takeCodeOfAddress(): string | null {
  const code = holder.pbbCode ?? null;
  holder.pbbCode = undefined;
  return code;
}

/** Calls back when such an address is opened in this tab. @returns the undo */
export function onCodeOfAddress(listener: () => void): () => void {
  window.addEventListener('pbb-code', listener);
  return () => window.removeEventListener('pbb-code', listener);
}
