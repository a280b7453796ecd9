import { createECDH } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildTwoProcesses, type TestProcess } from '#server/testing/postgres/several-processes.ts';
import { buildSubscriptionBody, pushSettings } from '#server/testing/push.ts';

async function readPublicKey({ call }: TestProcess, { token }: SignedInUser): Promise<string> {
  const answer = await call('GET', '/api/push/key', { token });
  expect(answer.status).toBe(200);
  return (answer.body.data as { public_key: string }).public_key;
}

const storedTexts = ({ database }: TestProcess): string[] =>
  database.sqlite.prepare<[], string>('select text from pbb_shared').pluck().all();

function keysText(): { publicKey: string; text: string } {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  const text = JSON.stringify({
    public_key: publicKey,
    private_key: pair.getPrivateKey('base64url').padStart(43, 'A'),
  });
  return { publicKey, text };
}

describe('the keys of push notifications on PostgreSQL', () => {
  it('two processes that need them at once get the same ones, and no file has them', async () => {
    const [one, other] = await buildTwoProcesses({ settings: pushSettings });
    const user = buildTestUser(one);
    const keys = await Promise.all([one, other, one, other].map((process) => readPublicKey(process, user)));
    expect(new Set(keys).size).toBe(1);
    const [text = '', ...more] = storedTexts(one);
    expect(more).toEqual([]);
    expect(JSON.parse(text)).toEqual({ public_key: keys[0], private_key: expect.stringMatching(/^[\w-]{43}$/) });
    expect(existsSync(join(dirname(one.proofsDir), 'push-keys.json'))).toBe(false);
    const body = buildSubscriptionBody();
    expect((await other.call('PUT', '/api/push/subscription', { token: user.token, body })).status).toBe(200);
  });

  it('the server takes over those that an earlier version kept beside the files when it starts', async () => {
    const { publicKey, text } = keysText();
    const [one, other] = await buildTwoProcesses({ settings: pushSettings }, ({ proofsDir }) =>
      writeFileSync(join(dirname(proofsDir), 'push-keys.json'), text),
    );
    await Promise.all([one, other].map(({ server }) => server.listen({ port: 0 })));
    await expect
      .poll(() => storedTexts(one).map((stored) => JSON.parse(stored) as unknown))
      .toEqual([JSON.parse(text)]);
    // The file is needed no longer, and nothing changes it.
    const file = join(dirname(one.proofsDir), 'push-keys.json');
    expect(readFileSync(file, 'utf8')).toBe(text);
    writeFileSync(file, keysText().text);
    expect(await readPublicKey(other, buildTestUser(one))).toBe(publicKey);
  });

  it('both processes get new ones when they are damaged', async () => {
    const [one, other] = await buildTwoProcesses({ settings: pushSettings });
    const { publicKey, text } = keysText();
    one.database.sqlite
      .prepare("insert into pbb_shared (name, text) values ('push-keys.json', ?)")
      .run(text.replace(publicKey, keysText().publicKey));
    const user = buildTestUser(one);
    const made = await readPublicKey(one, user);
    expect(made).not.toBe(publicKey);
    expect(await readPublicKey(other, user)).toBe(made);
  });
});
