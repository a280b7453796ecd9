import { describe, expect, it } from 'vitest';
import { planOf, preparedTexts, queryPlans } from '#server/testing/query-plan.ts';
import { buildListApp, dumpList, listText, nopOf, objectsFrom as objects } from '#server/testing/dhkp.ts';
import { listBatchRows, listLeftPreviews } from './batch-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

describe('an import', () => {
  it('reads pasted cells, previews their rows and applies them', async () => {
    const { preview, applied, rows, list } = await buildListApp();
    const batch = await preview(listText(objects(3), 45_001 + 45_002 + 45_003));
    expect(batch).toMatchObject({
      year: 2026,
      kind: 'list',
      file_name: 'tempelan.tsv',
      complete: false,
      counts: { new: 3, changed: 0, same: 0, gone: 0, problem: 0, warning: 0, other_village: 0 },
      control: {
        file: [{ label: 'JUMLAH', amount: 135_006 }],
        typed: null,
        computed: { objects: 3, amount: 135_006, books: [{ book: 1, objects: 3, amount: 135_006 }] },
        equal: true,
      },
      by_name: 'Ibu Ratna',
      applied_at: null,
    });
    expect(await rows(batch, 'new')).toHaveLength(3);
    expect((await rows(batch)).map(({ kind, row }) => [kind, row])).toEqual([
      ['new', 2],
      ['new', 3],
      ['new', 4],
      ['total', 5],
    ]);
    expect((await list()).total).toBe(0);
    const done = await applied(batch);
    expect(done).toMatchObject({ applied_at: '2026-06-10T05:00:00.000Z', progress: { done: 4, total: 4 } });
    const { data, total_amount } = await list();
    expect(total_amount).toBe(135_006);
    expect(data[0]).toMatchObject({
      nop: nopOf(1),
      nop_text: '35.15.180.012.001-0001.0',
      year: 2026,
      name: 'Warga 1',
      object_address: 'Jl. Melati 1',
      land_m2: 120,
      amount: 45_001,
      book: 1,
      block: '001',
      listed: true,
      condition: 'ok',
      area: null,
      authority_paid: null,
      account: null,
    });
  });

  itOnSqlite('reads pages of its rows, and what a crash left, from indexes alone', async () => {
    const { test, preview } = await buildListApp();
    const { preview_id: previewId } = await preview(listText(objects(3)));
    const page = { limit: 100, offset: 0 };
    const kinds = [undefined, 'new', 'warning'] as const;
    const plans = await queryPlans(test, async (orm) => {
      for (const kind of kinds) await listBatchRows(orm, previewId ?? '', kind, page);
    });
    expect(plans).toHaveLength(2 * kinds.length);
    for (const plan of plans) {
      expect(plan).toMatch(/^SEARCH dhkp_batch_rows USING/);
      expect(plan).not.toContain('TEMP B-TREE');
    }
    const left = (await preparedTexts(test, listLeftPreviews)).map((text) => planOf(test, text));
    expect(left.join('; ')).not.toMatch(/SCAN dhkp_batch_rows(?! USING COVERING)/);
  });

  it('leaves the list as it was when it is applied and taken back', async () => {
    const { test, preview, applied, revert, list, call } = await buildListApp();
    const before = dumpList(test);
    const first = await applied(await preview(listText(objects(120))));
    const between = dumpList(test);
    const changed = [...objects(5, 1, { amount: '99.000' }), ...objects(95, 6)];
    const second = await preview(listText([...changed, ...objects(3, 500)]));
    expect(second).toMatchObject({ complete: true, counts: { new: 3, changed: 5, same: 95, gone: 20 } });
    await applied(second);
    expect(await list('&listed=1')).toMatchObject({ total: 103 });
    expect(await revert(first)).toMatchObject({
      status: 409,
      body: { message: 'Hanya impor terakhir yang dapat dibatalkan' },
    });
    const reverted = await revert(second);
    expect(reverted.body.data).toMatchObject({ state: 'reverted', revert_reason: 'salah berkas' });
    expect(dumpList(test)).toBe(between);
    expect((await revert(first)).status).toBe(200);
    expect(dumpList(test)).toBe(before);
    expect((await call('GET', '/batches')).body.data).toMatchObject({ total: 2 });
  });
});
