import { startDownload } from '#client/lib/browser/start-download.ts';

/** Some browsers, above all on phones, read the file long after the click has returned. */
const REVOKE_URL_AFTER_MS = 60_000;

/** Saves a file into the browser's downloads. Works without HTTPS and without opening a window. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  startDownload(url, name);
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_URL_AFTER_MS);
}
