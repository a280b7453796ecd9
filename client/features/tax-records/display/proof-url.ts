/** Where a stored proof image is loaded from: absolute addresses as they are, others from our own server (specification 3). */
export function proofUrl(path: string | null | undefined): string | null {
  if (!path) return null;
  if (/^https?:\/\//i.test(path)) return path;
  return `${window.location.origin}/${path.replace(/^\/+/, '')}`;
}
