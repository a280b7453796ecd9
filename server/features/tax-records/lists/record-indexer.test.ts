import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { hasPending } from '#server/records/record-index-queries.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { registerRecordIndexer } from './record-indexer.ts';

const waitUntilIndexed = (test: TestApp): Promise<void> => expect.poll(() => hasPending(test.context.orm)).toBe(false);

/** The records that the index itself holds. */
function countMatches({ database }: TestApp, trigram: string): number {
  const count = database.sqlite
    .prepare<[string], number>('select count(*) from record_words where record_words match ?')
    .pluck();
  return count.get(trigram) ?? 0;
}

function requireIntact({ database }: TestApp): void {
  database.sqlite.exec("insert into record_words (record_words, rank) values ('integrity-check', 1)");
}

/** Runs the indexer on a server of its own, whose steps a test can watch. */
async function listen({ context }: TestApp, write: TestApp['context']['write']): Promise<void> {
  const app = Fastify();
  onTestFinished(() => app.close());
  registerRecordIndexer(app, { ...context, write });
  await app.listen({ host: '127.0.0.1', port: 0 });
}

it('indexes records soon after they were created, edited and deleted, and a search finds them as they are at once', async () => {
  const test = await buildTestApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
  await test.server.listen({ host: '127.0.0.1', port: 0 });
  async function change(method: string, url: string, address?: string): Promise<{ id: string }> {
    const body = address && { name: 'Budi', address, spt_number: '35.15', amount: 1000 };
    const answer = await test.call(method, url, { token: budi.token, body });
    expect([200, 201]).toContain(answer.status);
    return answer.body.data;
  }
  async function found(term: string): Promise<string[]> {
    const { body } = await test.call('GET', `/api/admin/tax-records?search=${term}`, { token: ratna.token });
    return (body.data as { data: { id: string }[] }).data.map(({ id }) => id);
  }

  const { id } = await change('POST', '/api/tax-records', 'Jl. Kenanga 1');
  expect(await found('kenanga')).toEqual([id]);
  await waitUntilIndexed(test);
  expect(countMatches(test, 'nga')).toBe(1);

  await change('PUT', `/api/tax-records/${id}`, 'Jl. Cempaka 1');
  expect(await found('kenanga')).toEqual([]);
  expect(await found('cempaka')).toEqual([id]);
  await waitUntilIndexed(test);
  expect([countMatches(test, 'nga'), countMatches(test, 'pak')]).toEqual([0, 1]);

  await change('DELETE', `/api/tax-records/${id}`);
  expect(await found('cempaka')).toEqual([]);
  await waitUntilIndexed(test);
  expect(countMatches(test, 'pak')).toBe(0);
  requireIntact(test);
});

it('lets other changes come between its steps', async () => {
  const test = await buildTestApp();
  const { id } = buildTestUser(test);
  test.database.direct.transaction(() => {
    for (let n = 0; n < 1500; n += 1) buildRecord(test, id, { address: `Desa ${n}` });
  });
  const { write, orm } = test.context;
  let wasPending: Promise<boolean> | undefined;
  await listen(test, (change) => {
    const step = write(change);
    wasPending ??= write((tx) => hasPending(tx));
    return step;
  });
  await waitUntilIndexed(test);
  expect(await wasPending).toBe(true);
  expect(await hasPending(orm)).toBe(false);
  requireIntact(test);
});

it('goes on after a step that failed, as while another program holds the database', async () => {
  const test = await buildTestApp();
  buildRecord(test, buildTestUser(test).id, { address: 'Jl. Kenanga 1' });
  const { write } = test.context;
  let steps = 0;
  await listen(test, (change) =>
    (steps += 1) === 1 ? Promise.reject(new Error('database is locked')) : write(change),
  );
  await waitUntilIndexed(test);
  expect(countMatches(test, 'nga')).toBe(1);
});
