import { describe, expect, it } from 'vitest';
import type { Area } from '#shared/api/areas.ts';
import { buildListApp, LIST_YEAR, listText, objectsFrom } from '#server/testing/dhkp.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { openTab, waitForPendingEvents } from '#server/testing/sockets.ts';

const URL = '/api/admin/areas';

async function buildAreaApp() {
  const app = await buildListApp();
  const { token } = app.admin;
  const send = (method: string, path: string, body?: unknown) =>
    app.test.call(method, `${URL}${path}`, { token, ...(body === undefined ? {} : { body }) });
  const add = async (name: string, kind: string, parent_id: string | null = null): Promise<Area> => {
    const answer = await send('POST', '', { name, kind, parent_id });
    expect(answer.status, answer.body.message).toBe(201);
    return answer.body.data;
  };
  const paths = async () => ((await send('GET', '')).body.data as Area[]).map(({ path }) => path);
  return { ...app, send, add, paths };
}

describe('areas', () => {
  it('form a tree in the order of its names, also of numbers', async () => {
    const { add, paths } = await buildAreaApp();
    const krajan = await add('Krajan', 'dusun');
    const rw = await add('02', 'rw', krajan.id);
    await add('10', 'rt', rw.id);
    const rt = await add('  9 ', 'rt', rw.id);
    await add('Bendo', 'dusun');
    expect(rt).toMatchObject({ name: '9', kind: 'rt', parent_id: rw.id, path: 'Krajan / RW 02 / RT 9' });
    expect(await paths()).toEqual([
      'Bendo',
      'Krajan',
      'Krajan / RW 02',
      'Krajan / RW 02 / RT 9',
      'Krajan / RW 02 / RT 10',
    ]);
  });

  it.each([
    ['no name', { kind: 'rw' }, 'Nama wilayah wajib diisi'],
    ['an empty name', { name: ' ', kind: 'rw' }, 'Nama wilayah wajib diisi'],
    ['a name of 101 characters', { name: 'a'.repeat(101), kind: 'rw' }, 'Nama wilayah maksimal 100 karakter'],
    ['an unknown kind', { name: 'A', kind: 'desa' }, 'Jenis wilayah tidak valid'],
    ['an unknown parent', { name: 'A', kind: 'rw', parent_id: 'x' }, 'Wilayah di atasnya tidak valid'],
  ])('refuse %s with 422', async (_what, body, message) => {
    const { send } = await buildAreaApp();
    const answer = await send('POST', '', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  it('stand below an area of a larger kind only', async () => {
    const { send, add } = await buildAreaApp();
    const [dusun, rw] = [await add('Krajan', 'dusun'), await add('1', 'rw')];
    for (const kind of ['dusun', 'rw']) {
      const answer = await send('POST', '', { name: 'A', kind, parent_id: rw.id });
      expect([answer.status, answer.body.message]).toEqual([422, 'Wilayah di atasnya tidak valid']);
    }
    await add('1', 'rt', dusun.id);
    await add('1', 'rt', rw.id);
    const answer = await send('PUT', `/${rw.id}`, { kind: 'rt' });
    expect([answer.status, answer.body.message]).toEqual([422, 'Jenis wilayah tidak valid']);
  });

  it('never stand below themselves, and are listed where an earlier version stored that', async () => {
    const { test, send, add, paths } = await buildAreaApp();
    const { id } = await add('Krajan', 'dusun');
    const answer = await send('PUT', `/${id}`, { kind: 'rt', parent_id: id });
    expect([answer.status, answer.body.message]).toEqual([422, 'Wilayah di atasnya tidak valid']);
    test.database.sqlite.prepare('update areas set parent_id = id').run();
    expect(await paths()).toEqual(['Krajan']);
    expect((await send('PUT', `/${id}`, { parent_id: null })).body.data).toMatchObject({ parent_id: null });
  });

  it('use a name once below one parent, also in another spelling', async () => {
    const { send, add } = await buildAreaApp();
    const [dusun, other] = [await add('Krajan', 'dusun'), await add('Bendo', 'dusun')];
    const first = await add('RW 02', 'rw', dusun.id);
    const answer = await send('POST', '', { name: '2', kind: 'rw', parent_id: dusun.id });
    expect([answer.status, answer.body.message]).toEqual([409, 'Nama wilayah ini sudah dipakai']);
    const moved = await add('2', 'rw', other.id);
    expect((await send('PUT', `/${moved.id}`, { parent_id: dusun.id })).status).toBe(409);
    expect((await send('PUT', `/${first.id}`, { name: 'RW 2' })).status).toBe(200);
  });

  it('answer 409 to a change of an older state, and 404 for an unknown one', async () => {
    const { send, add } = await buildAreaApp();
    const { id, updated_at } = await add('Krajan', 'dusun');
    expect((await send('PUT', `/${id}`, { name: 'Krajan Lor', updated_at })).status).toBe(200);
    expect((await send('PUT', `/${id}`, { name: 'Krajan Kidul', updated_at })).body.message).toBe(
      'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.',
    );
    for (const method of ['PUT', 'DELETE']) {
      const answer = await send(method, '/unknown', method === 'PUT' ? { name: 'A' } : undefined);
      expect([answer.status, answer.body.message]).toEqual([404, 'Wilayah tidak ditemukan']);
    }
  });

  it('go only while they are empty', async () => {
    const { send, add, preview, applied, list, call, paths } = await buildAreaApp();
    const dusun = await add('Krajan', 'dusun');
    const rw = await add('1', 'rw', dusun.id);
    const blockArea = await add('Bendo', 'dusun');
    const answer = await send('DELETE', `/${dusun.id}`);
    expect([answer.status, answer.body.message]).toEqual([409, 'Wilayah ini masih memuat 1 wilayah']);
    const cells = [...objectsFrom(2, 1, { dusun: 'krajan', rw: '01' }), ...objectsFrom(2, 3, { dusun: '', rw: '' })];
    await applied(await preview(listText(cells)));
    await applied(await preview(listText(cells), LIST_YEAR - 1));
    expect((await call('PUT', '/blocks', [{ block: '001', area_id: blockArea.id }])).status).toBe(200);
    for (const { id } of [rw, blockArea]) {
      const refused = await send('DELETE', `/${id}`);
      expect([refused.status, refused.body.message]).toEqual([409, 'Wilayah ini masih dipakai 2 objek']);
    }
    const { data } = await list();
    await call('POST', '/bulk', { filter: { year: LIST_YEAR }, set: { area_id: dusun.id } });
    await call('POST', '/bulk', { filter: { year: LIST_YEAR - 1 }, set: { area_id: dusun.id } });
    expect(data).toHaveLength(4);
    expect((await send('DELETE', `/${blockArea.id}`)).status).toBe(200);
    expect((await call('GET', '/blocks')).body.data).toEqual([]);
    expect((await send('DELETE', `/${rw.id}`)).status).toBe(200);
    expect((await send('DELETE', `/${dusun.id}`)).body.message).toBe('Wilayah ini masih dipakai 4 objek');
    expect(await paths()).toEqual(['Krajan']);
  });

  it('leave their changes in the audit, and tell admins alone that lists show something else', async () => {
    const { test, admin, add, send, preview, applied } = await buildAreaApp();
    await applied(await preview(listText(objectsFrom(2))));
    const [adminTab, userTab] = [await openTab(test, admin), await openTab(test, buildTestUser(test))];
    const dusun = await add('Krajan', 'dusun');
    await send('PUT', `/${dusun.id}`, { name: 'Krajan Lor' });
    await send('DELETE', `/${dusun.id}`);
    expect(await adminTab.next('dhkp:changed')).toEqual({ year: 2026 });
    await waitForPendingEvents(test, adminTab, userTab);
    expect(userTab.payloadsOf('dhkp:changed')).toEqual([]);
    const audit = await test.call('GET', '/api/admin/audit', { token: admin.token });
    const { data } = audit.body.data as { data: { action: string; subject: object; changes: object[] }[] };
    expect(data.slice(0, 3)).toMatchObject([
      { action: 'area.deleted', subject: { id: dusun.id, label: 'Krajan Lor' } },
      { action: 'area.updated', changes: [{ field: 'name', from: 'Krajan', to: 'Krajan Lor' }] },
      {
        action: 'area.created',
        changes: [
          { field: 'name', to: 'Krajan' },
          { field: 'kind', to: 'dusun' },
        ],
      },
    ]);
  });
});
