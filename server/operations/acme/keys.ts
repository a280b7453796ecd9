import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

/** A new key as PEM, of the account or of a certificate: P-256, which every browser and every directory knows. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}
