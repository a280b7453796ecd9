import { randomBytes } from 'node:crypto';
import type { ServiceContext } from '#server/service-context.ts';
import { createLinkSigner } from '#server/security/signed-links.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';

type Account = Pick<UserRow, 'id' | 'passwordHash'>;

/**
 * Device tokens: the signed proof that a browser has signed in to an account before ("device cookies" at OWASP). Its wrong
 * passwords are counted apart from those of strangers (docs/requirements.md R-AUTH-21). A token opens nothing. It ends with the
 * password, because the hash is signed with it.
 */
export function createDeviceTokens(context: Pick<ServiceContext, 'secret' | 'now'>) {
  const signer = createLinkSigner(context, 'pbb-kita/device-tokens/1');
  const contentOf = (deviceId: string, { id, passwordHash }: Account): string => `${deviceId}\n${id}\n${passwordHash}`;

  /** @returns the id of the browser, or null when the token is not of this account and its present password */
  function read(token: string | undefined, account: Account | undefined): string | null {
    const [deviceId = '', signature = ''] = token?.split('.') ?? [];
    return account && signer.isValid(contentOf(deviceId, account), signature) ? deviceId : null;
  }

  return {
    read,
    /** @returns a token for the browser, which keeps the id that it had */
    issue(account: Account, offered: string | undefined): string {
      const deviceId = read(offered, account) ?? randomBytes(16).toString('base64url');
      return `${deviceId}.${signer.sign(contentOf(deviceId, account))}`;
    },
  };
}
