import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { createGate, type GateOptions } from './password-gate.ts';

/** argon2id with the second parameters that OWASP recommends: 19 MiB, 2 passes. About 20 ms on a PC, off the event loop. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** Two of libuv's four threads stay free for files and compression. A hundred that wait take about a second on a PC. */
const runInTurn = createGate({ maxRunning: 2, maxWaiting: 50 });
/** For commands such as `admin`: no other caller waits in the process of a command. */
const ALONE: GateOptions = { holder: '' };

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number };

function derive(password: string, nonce: Buffer, cost: Cost, options: GateOptions): Promise<Buffer> {
  const hash = (): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      argon2('argon2id', { message: password, nonce, ...cost }, (error, key) =>
        error ? reject(error) : resolve(Buffer.from(key)),
      );
    });
  return runInTurn(hash, options);
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function formatPhc(salt: Buffer, key: Buffer): string {
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(key)}`;
}

const PHC_PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * @returns a PHC string that carries its own cost and salt
 * @throws 503 when too many others wait for their hash
 */
export async function hashPassword(password: string, options = ALONE): Promise<string> {
  const salt = randomBytes(16);
  return formatPhc(salt, await derive(password, salt, COST, options));
}

/** No password has this hash. Checking it takes as long as a real one, so the time does not reveal unknown accounts. It is that of accounts without a password. */
export const DUMMY_HASH = formatPhc(Buffer.alloc(16, 7), Buffer.alloc(COST.tagLength));

/**
 * @param hash made by `hashPassword`, with any cost
 * @throws Error when the text is no such hash; 503 when too many others wait for their hash
 */
export async function verifyPassword(password: string, hash: string, options = ALONE): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', key = ''] = PHC_PATTERN.exec(hash) ?? [];
  if (!key) throw new Error('a stored password hash is not one of ours');
  const expected = Buffer.from(key, 'base64');
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  };
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost, options);
  return timingSafeEqual(actual, expected);
}

/** Generates a password that can be read aloud and typed: no characters that look alike; 78 bits. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return Array.from({ length: 4 }, group).join('-');
}
