import { createECDH } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { restrictToOwner, writeFileAtomicSync } from '#server/files/atomic.ts';

/** The VAPID key pair (RFC 8292), base64url: 65 bytes of a point on P-256, and 32 bytes. */
export type VapidKeys = { publicKey: string; privateKey: string };
export type VapidKeySource = {
  /** @throws what the disk reports when the file can be neither read nor written */
  read: () => VapidKeys;
};

const FILE_NAME = 'push-keys.json';
const PRIVATE_KEY_BYTES = 32;

const fileSchema = z.object({ public_key: z.string(), private_key: z.string() });

function generateKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A small number comes without its leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES), pair.getPrivateKey()]).subarray(
    -PRIVATE_KEY_BYTES,
  );
  return { publicKey, privateKey: privateKey.toString('base64url') };
}

/** @returns null when the text is no key pair of which both halves belong together */
function parseKeys(text: string): VapidKeys | null {
  try {
    const { public_key: publicKey, private_key: privateKey } = fileSchema.parse(JSON.parse(text));
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    return pair.getPublicKey('base64url') === publicKey ? { publicKey, privateKey } : null;
  } catch {
    return null;
  }
}

/**
 * The key pair by which push services know this server, kept in the data folder and readable for its owner only. It is made at
 * first use, and made anew when its file is damaged: browsers then subscribe again by themselves.
 *
 * It belongs to no backup. An archive holds the addresses of subscriptions, and without this key they are worth nothing: a push
 * service accepts a push only from the key for which the browser subscribed.
 * @param onDamaged called after new keys replaced damaged ones: no earlier subscription works with them
 */
export function createVapidKeySource(dataDir: string, onDamaged: () => void): VapidKeySource {
  const file = join(dataDir, FILE_NAME);
  let keys: VapidKeys | null = null;

  function load(): VapidKeys {
    const exists = existsSync(file);
    if (exists) restrictToOwner(file);
    const stored = exists ? parseKeys(readFileSync(file, 'utf8')) : null;
    if (stored) return stored;
    const made = generateKeys();
    const text = JSON.stringify({ public_key: made.publicKey, private_key: made.privateKey });
    writeFileAtomicSync(file, `${text}\n`);
    if (exists) onDamaged();
    return made;
  }

  return { read: () => (keys ??= load()) };
}
