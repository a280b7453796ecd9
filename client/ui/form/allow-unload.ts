/** Apart from the code of forms, which is no part of the first load. */

let mayUnload = false;

/** The person was asked before this page is left; the browser must not ask again. */
export function allowUnload(): void {
  mayUnload = true;
}

export const isUnloadAllowed = (): boolean => mayUnload;
