import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The secret of the installation, and the clock. */
export type LinkSigning = { secret: string; now: () => number };

/** Signs the parts of a URL that a browser opens without a header, such as an `<img>` or a download. */
export type LinkSigner = {
  /** HMAC-SHA-256 as base64url. */
  sign: (content: string) => string;
  /** Compares in constant time, so that the time of an answer says nothing about the right signature. */
  isValid: (content: string, signature: string) => boolean;
  /** Whether a link that ends at this moment (ms) has ended. A value that is no number has. */
  isExpired: (expiresAtMs: number) => boolean;
};

/**
 * @param purpose one text for each kind of link: each has its own key, so that a signature of one kind is worth nothing
 * for another
 */
export function createLinkSigner({ secret, now }: LinkSigning, purpose: string): LinkSigner {
  // A key object is set up once. A list signs a thousand links.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  const sign = (content: string): string => createHmac('sha256', key).update(content).digest('base64url');
  return {
    sign,
    isValid(content, signature) {
      const expected = Buffer.from(sign(content));
      const offered = Buffer.from(signature);
      return offered.length === expected.length && timingSafeEqual(offered, expected);
    },
    isExpired: (expiresAtMs) => !(expiresAtMs > now()),
  };
}
