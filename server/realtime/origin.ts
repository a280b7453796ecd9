import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of this origin may open a socket (R-EVENT-1): the server's own address, or an allowed one. Browsers always
 * send the origin; other programs may send none, and need a token anyway.
 */
export function isAllowedOrigin(
  request: Pick<IncomingMessage, 'headers'>,
  { corsOrigins, trustProxy }: { corsOrigins: string[]; trustProxy: boolean },
): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  if (corsOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const forwarded = trustProxy ? request.headers['x-forwarded-host'] : undefined;
  const host = (typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined) ?? request.headers.host;
  // The scheme is not compared: behind a proxy that ends TLS, ours is http and the page's is https.
  return host !== undefined && new URL(origin).host === host.toLowerCase();
}
