/** The URL of an uploaded file: an absolute URL stays as it is, a path belongs to the server's own origin (R-PROOF-10). */
export function uploadedFileUrl(path: string): string {
  if (/^(?:https?|blob):/i.test(path)) return path;
  return `${window.location.origin}/${path.replace(/^\/+/, '')}`;
}
