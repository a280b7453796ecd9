import { argon2Sync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePassword, hashPassword, DUMMY_HASH, verifyPassword } from './passwords.ts';

describe('a password hash', () => {
  it('accepts exactly its password', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (password, other) => {
        const hash = await hashPassword(password);
        expect(await verifyPassword(password, hash)).toBe(true);
        expect(await verifyPassword(other, hash)).toBe(other === password);
        expect(await verifyPassword(`${password} `, hash)).toBe(false);
      }),
      { numRuns: 10 },
    );
  });

  it('uses argon2id, stores its cost, and differs each time', async () => {
    const [one, two] = await Promise.all([hashPassword('rahasia-1'), hashPassword('rahasia-1')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(two);
  });

  it('needs the cost that it was made with for its check', async () => {
    // An older version may have stored it with another cost.
    const cheap = '$argon2id$v=19$m=1024,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$KEY';
    const key = argon2Sync('argon2id', {
      message: 'rahasia-1',
      nonce: Buffer.from('saltsaltsaltsalt'),
      memory: 1024,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    const hash = cheap.replace('KEY', Buffer.from(key).toString('base64').replaceAll('=', ''));
    expect(await verifyPassword('rahasia-1', hash)).toBe(true);
    expect(await verifyPassword('rahasia-2', hash)).toBe(false);
  });

  it('does not block the event loop while it is computed', async () => {
    let turns = 0;
    const counter = setInterval(() => (turns += 1), 1);
    await hashPassword('rahasia-1');
    clearInterval(counter);
    expect(turns).toBeGreaterThan(1);
  });

  it('accepts no password if it is the dummy hash, and throws if it is malformed', async () => {
    for (const password of ['', 'rahasia-1', DUMMY_HASH]) {
      expect(await verifyPassword(password, DUMMY_HASH)).toBe(false);
    }
    for (const broken of ['', 'x', '$2b$10$abc', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$', DUMMY_HASH.slice(0, 30)]) {
      await expect(verifyPassword('', broken), broken).rejects.toThrow('a stored password hash is not one of ours');
    }
  });
});

describe('a generated password', () => {
  it('consists of four groups of unmistakable characters and differs each time', () => {
    const made = Array.from({ length: 200 }, generatePassword);
    expect(new Set(made).size).toBe(200);
    for (const password of made) expect(password).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
  });
});
