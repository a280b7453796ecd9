import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { account, type Query } from './accounting.ts';
import { createAcknowledged, noteClaim } from './acknowledged.ts';

/** The rows of a small office, by a word of the statement that reads them. */
const STORED = {
  chain: [{ gaps: '0' }],
  'from messages': [{ id: '7', user_id: 'siti', client_id: 'a', content: 'Halo' }],
  attachments: [{ id: 'f', uploader_id: 'siti', message_id: '7', file: 'f.png', thumb_file: null, bytes: '3' }],
  conversations: [{ user_id: 'siti', claimed_by: 'sari' }],
  audit_entries: [{ user_id: 'siti', count: '1' }],
};

const NOTHING_WRONG = { lost: 0, changed: 0, doubled: 0, gaps: 0, files: 0, claims: 0, takeovers: 0 };

/** An office in which everything that was acknowledged is stored, but for the given rows. */
async function accountWith(changed: Partial<Record<keyof typeof STORED, object[]>>, fileText = 'abc') {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-accounting-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'proofs'));
  writeFileSync(join(folder, 'proofs', 'f.png'), fileText);
  const query = (async (text) =>
    Object.entries({ ...STORED, ...changed }).find(([word]) => text.includes(word))?.[1]) as Query;
  const acknowledged = createAcknowledged();
  acknowledged.messages.push({ id: '7', userId: 'siti', clientId: 'a', content: 'Halo', attachmentIds: ['f'] });
  acknowledged.files.push({ id: 'f', userId: 'siti', bytes: 3 });
  const earlier = { holderId: 'ratna', atMs: performance.now() };
  noteClaim(acknowledged, 'siti', earlier, undefined);
  noteClaim(acknowledged, 'siti', { holderId: 'sari', atMs: performance.now() }, earlier);
  return account(query, acknowledged, folder);
}

const [message, file] = [STORED['from messages'][0], STORED.attachments[0]];

it('finds nothing where all that was acknowledged is stored', async () => {
  expect(await accountWith({})).toEqual({ ...NOTHING_WRONG, comparedClaims: 1, examples: [] });
});

it.each([
  ['a lost message', { 'from messages': [] }, { lost: 1 }],
  ['another text', { 'from messages': [{ ...message, content: 'Hal' }] }, { changed: 1 }],
  ['a message stored twice', { 'from messages': [message, { ...message, id: '8' }] }, { doubled: 1 }],
  ['a wrong link between messages', { chain: [{ gaps: '2' }] }, { gaps: 2 }],
  ['a file without a row', { attachments: [] }, { files: 1 }],
  ['a file of another message', { attachments: [{ ...file, message_id: null }] }, { files: 1 }],
  ['a file that is not in the folder', { attachments: [{ ...file, file: 'g.png' }] }, { files: 1 }],
  ['another holder of a claim', { conversations: [{ user_id: 'siti', claimed_by: 'ratna' }] }, { claims: 1 }],
  ['a takeover that the audit lacks', { audit_entries: [] }, { takeovers: 1 }],
])('finds %s', async (_what, changed, found) => {
  expect(await accountWith(changed as Parameters<typeof accountWith>[0])).toMatchObject({ ...NOTHING_WRONG, ...found });
});

it('finds a file that was cut', async () => {
  expect(await accountWith({}, 'ab')).toMatchObject({ ...NOTHING_WRONG, files: 1 });
});
