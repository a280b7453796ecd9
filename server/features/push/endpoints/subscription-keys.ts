import { createECDH } from 'node:crypto';

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;
/** Some browsers write ordinary base64. */
const toBase64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

/** @returns the bytes; null when the text is not base64url of exactly this length */
function decode(text: string, bytes: number): Buffer | null {
  const normal = toBase64Url(text);
  if (!BASE64URL.test(normal)) return null;
  const decoded = Buffer.from(normal, 'base64url');
  return decoded.length === bytes ? decoded : null;
}

/** A point on P-256 without compression; anything else would only fail at each encryption. */
function isOnCurve(point: Buffer): boolean {
  if (point[0] !== 4) return false;
  try {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    pair.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

export type SubscriptionKeys = { p256dh: string; auth: string };

/** The keys of a subscription in the one form in which they are stored; null when nothing can be encrypted for them. */
export function parseSubscriptionKeys({ p256dh, auth }: SubscriptionKeys): SubscriptionKeys | null {
  const point = decode(p256dh, POINT_BYTES);
  const secret = decode(auth, AUTH_BYTES);
  if (!point || !secret || !isOnCurve(point)) return null;
  return { p256dh: point.toString('base64url'), auth: secret.toString('base64url') };
}
