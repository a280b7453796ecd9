import { startDownload } from '#client/lib/start-download.ts';

/** Some browsers, above all on phones, read the file only after the click has long returned. */
const REVOKE_URL_AFTER_MS = 60_000;

/** Saves a file into the browser's downloads; works without https and without a window of its own. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  startDownload(url, name);
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_URL_AFTER_MS);
}
