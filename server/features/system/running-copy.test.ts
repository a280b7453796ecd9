import { describe, expect, it } from 'vitest';
import type { BackupsData, SystemInfo } from '#shared/api/system.ts';
import type { RunningCopyStatus } from '#server/operations/running-copy/copy-state.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { changeUser } from '#server/testing/rows.ts';
import { fakeRunningCopy } from '#server/testing/running-copy.ts';
import { buildTestApp, TEST_NOW, type TestApp } from '#server/testing/test-app.ts';

const LIST = '/api/admin/backups';
const START = '/api/admin/backups/running-copy';
const METRICS_TOKEN = 'rahasia-untuk-pemantau';
const EMPTIED: Partial<RunningCopyStatus> = {
  state: 'stopped',
  message: 'Di folder itu tidak ada lagi salinan berjalan.',
  stoppedSinceMs: TEST_NOW,
  reason: 'emptied',
};

async function buildAppWithCopy(changes: Partial<RunningCopyStatus> = {}) {
  const copy = fakeRunningCopy(changes);
  const test = await buildTestApp({ runningCopy: copy, metricsToken: METRICS_TOKEN });
  return { ...test, copy, admin: buildAdmin(test) };
}

async function copyOf(test: TestApp, { token }: { token: string }) {
  const { body } = await test.call('GET', LIST, { token });
  const { status }: BackupsData = body.data;
  return status.running_copy;
}

describe('the running copy in GET /api/admin/backups', () => {
  it('says how far it is behind, by the clock of the server', async () => {
    const test = await buildAppWithCopy({ atMs: TEST_NOW });
    test.clock.advance(20_900);
    const well = {
      path: '/disk-2/salinan-berjalan',
      at: '2026-06-10T05:00:00.000Z',
      behind_seconds: 20,
      state: 'ok',
      message: null,
      percent: null,
      reason: null,
    };
    expect(await copyOf(test, test.admin)).toEqual(well);
    const { body } = await test.call('GET', '/api/admin/system', { token: test.admin.token });
    const { backup }: SystemInfo = body.data;
    expect(backup.running_copy).toEqual(well);
    test.clock.jump(-3_600_000);
    expect((await copyOf(test, test.admin))?.behind_seconds).toBe(0);
  });

  it('says how much of a first copy is made, and why it is stopped', async () => {
    const test = await buildAppWithCopy({ state: 'starting', percent: 45 });
    expect(await copyOf(test, test.admin)).toMatchObject({
      at: null,
      behind_seconds: null,
      state: 'starting',
      message: null,
      percent: 45,
    });
    test.copy.change({ ...EMPTIED, atMs: TEST_NOW - 300_000 });
    expect(await copyOf(test, test.admin)).toMatchObject({
      behind_seconds: 300,
      state: 'stopped',
      message: EMPTIED.message,
      percent: null,
      reason: 'emptied',
    });
  });

  it('says null while no copy is kept', async () => {
    const without = await buildTestApp();
    expect(await copyOf(without, buildAdmin(without))).toBeNull();
    const test = await buildAppWithCopy();
    test.copy.change(null);
    expect(await copyOf(test, test.admin)).toBeNull();
  });
});

describe('POST /api/admin/backups/running-copy', () => {
  it('begins a new copy in an emptied folder, and the audit says who did', async () => {
    const test = await buildAppWithCopy(EMPTIED);
    const { token, id } = test.admin;
    const answer = await test.call('POST', START, { token });
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Salinan berjalan baru dimulai' } });
    const { status }: BackupsData = answer.body.data;
    expect(status.running_copy).toMatchObject({ state: 'starting', percent: 0, message: null });
    const { body } = await test.call('GET', '/api/admin/audit', { token });
    expect(body.data).toMatchObject({
      data: [{ action: 'backup.started', actor: { id }, subject: { label: 'salinan berjalan' }, changes: [] }],
    });
  });

  it('answers 409 while there is nothing to begin', async () => {
    const test = await buildAppWithCopy({ atMs: TEST_NOW });
    const { token } = test.admin;
    const refuse = async () =>
      expect(await test.call('POST', START, { token })).toMatchObject({
        status: 409,
        body: {
          success: false,
          message:
            'Tidak ada salinan berjalan yang perlu dimulai dari sini: itu hanya bila folder salinan kosong, padahal sudah pernah berisi salinan',
        },
      });
    await refuse();
    test.copy.change({ state: 'stopped', message: 'Folder itu dipakai salinan kantor lain.', reason: 'other office' });
    await refuse();
    test.copy.change(null);
    await refuse();
    const { body } = await test.call('GET', '/api/admin/audit', { token });
    expect(body.data).toMatchObject({ data: [] });
  });

  it('refuses everybody but an active admin, and then begins nothing', async () => {
    const test = await buildAppWithCopy(EMPTIED);
    const late = buildAdmin(test);
    changeUser(test, late.id, { isAdmin: false });
    for (const [token, status] of [
      [undefined, 401],
      [buildTestUser(test).token, 403],
      [late.token, 403],
    ] as const) {
      expect((await test.call('POST', START, { token })).status).toBe(status);
    }
    expect(test.copy.status()?.state).toBe('stopped');
  });
});

describe('pbb_running_copy_behind_seconds', () => {
  it('measures the age at each scrape, and shows no line without a whole copy', async () => {
    const test = await buildAppWithCopy();
    const scrape = async (): Promise<string[]> => {
      const answer = await test.call('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      return answer.raw
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('pbb_running_copy'));
    };
    expect(await scrape()).toEqual([]);
    test.copy.change({ atMs: TEST_NOW - 12_500 });
    expect(await scrape()).toEqual(['pbb_running_copy_behind_seconds 12.5']);
    test.copy.change(null);
    expect(await scrape()).toEqual([]);
  });
});
