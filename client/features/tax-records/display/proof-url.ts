import { uploadedFileUrl } from '#client/lib/api/uploaded-file-url.ts';

/** The URL of a proof image; null without one. */
export function proofUrl(path: string | null | undefined): string | null {
  return path ? uploadedFileUrl(path) : null;
}
