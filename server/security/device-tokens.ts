import { randomBytes } from 'node:crypto';
import { createLinkSigner, type LinkSigning } from './signed-links.ts';

/** The account of a token; another `version` of its password or card ends all tokens of before. */
type Holder = { id: string; version: string };

/**
 * Device tokens: the signed proof that a browser has entered an account before ("device cookies" at OWASP). Its wrong
 * tries are counted apart from those of strangers (docs/requirements.md R-AUTH-21, R-ACCESS-43). A token opens nothing.
 */
export function createDeviceTokens(signing: LinkSigning, purpose: string) {
  const signer = createLinkSigner(signing, purpose);
  const contentOf = (deviceId: string, { id, version }: Holder): string => `${deviceId}\n${id}\n${version}`;

  /** @returns the id of the browser, or null when the token is not of this account and its present version */
  function read(token: string | undefined, holder: Holder | undefined): string | null {
    const [deviceId = '', signature = ''] = token?.split('.') ?? [];
    return holder && signer.isValid(contentOf(deviceId, holder), signature) ? deviceId : null;
  }

  return {
    read,
    /** @returns a token for the browser, which keeps the id that it had */
    issue(holder: Holder, offered: string | undefined): string {
      const deviceId = read(offered, holder) ?? randomBytes(16).toString('base64url');
      return `${deviceId}.${signer.sign(contentOf(deviceId, holder))}`;
    },
  };
}
