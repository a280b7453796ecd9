import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { type NamedTexts, textsInFolder } from '#server/files/named-texts.ts';

/** The VAPID key pair (RFC 8292), base64url: 65 bytes of a point on P-256, and 32 bytes. */
export type VapidKeys = { publicKey: string; privateKey: string };
export type VapidKeySource = {
  /** @throws what the disk or the database reports when the keys can be neither read nor stored */
  read: () => Promise<VapidKeys>;
};

/** The name of the text that holds them. */
export const PUSH_KEYS = 'push-keys.json';
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
function parseKeys(text: string | null): VapidKeys | null {
  if (text === null) return null;
  try {
    const { public_key: publicKey, private_key: privateKey } = fileSchema.parse(JSON.parse(text));
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    return pair.getPublicKey('base64url') === publicKey ? { publicKey, privateKey } : null;
  } catch {
    return null;
  }
}

const textOf = ({ publicKey, privateKey }: VapidKeys): string =>
  `${JSON.stringify({ public_key: publicKey, private_key: privateKey })}\n`;

/**
 * The key pair by which push services know this server: a file of the data folder that only its owner may read, or with
 * PostgreSQL a text that all processes share. It is made at first use, and made anew when it is damaged: browsers then subscribe
 * again by themselves.
 *
 * It belongs to no backup of the program. An archive holds the addresses of subscriptions, and without this key they are worth
 * nothing: a push service accepts a push only from the key for which the browser subscribed.
 * @param shared null: the keys are in the data folder. Else those that are there are taken over
 * @param onDamaged called after new keys replaced damaged ones: no earlier subscription works with them
 */
export function createVapidKeySource(
  dataDir: string,
  shared: NamedTexts | null,
  onDamaged: () => void,
): VapidKeySource {
  const folder = textsInFolder(dataDir);
  const texts = shared ?? folder;
  let keys: Promise<VapidKeys> | null = null;

  async function load(): Promise<VapidKeys> {
    const text = await texts.read(PUSH_KEYS);
    const stored = parseKeys(text);
    if (stored) return stored;
    const earlier = shared && parseKeys(await folder.read(PUSH_KEYS));
    // Another process may have stored its own meanwhile.
    const kept = parseKeys(await texts.replace(PUSH_KEYS, text, textOf(earlier ?? generateKeys())));
    if (!kept) throw new Error('the keys of push notifications were not stored');
    if (text !== null) onDamaged();
    return kept;
  }

  return {
    read: () =>
      (keys ??= load().catch((error: unknown) => {
        keys = null;
        throw error;
      })),
  };
}
