/** The URL of a proof image: an absolute URL stays as it is, a path belongs to the server's own origin (R-PROOF-10). */
export function proofUrl(path: string | null | undefined): string | null {
  if (!path) return null;
  if (/^https?:\/\//i.test(path)) return path;
  return `${window.location.origin}/${path.replace(/^\/+/, '')}`;
}
