import { onTestFinished } from 'vitest';
import type { DatabaseHandle } from '#server/db/open.ts';
import { openBus } from '#server/db/postgres/bus.ts';
import type { OpenBus } from '#server/process/processes.ts';
import { buildTestApp, type TestApp, type TestOverrides } from '../test-app.ts';
import { openPostgresForTest } from './open-postgres.ts';

export type TestProcess = TestApp & {
  /** From now on the others hear nothing of it, as of one that was killed. */
  mute: () => void;
};

/** Two processes of one office, of which the first leads. */
export async function buildTwoProcesses(overrides: TestOverrides = {}): Promise<[TestProcess, TestProcess]> {
  const database = openPostgresForTest();
  const { address } = database;
  async function build(own: DatabaseHandle, shared: TestOverrides): Promise<TestProcess> {
    let isMuted = false;
    const openMutable: OpenBus = async (listener) => {
      const bus = await openBus(address, listener);
      return { ...bus, send: (text) => (isMuted ? undefined : bus.send(text)) };
    };
    const app = await buildTestApp({ ...overrides, ...shared, database: own, openBus: openMutable });
    return {
      ...app,
      mute: () => {
        isMuted = true;
      },
    };
  }
  const first = await build(database, {});
  // The first one gives the database back.
  const sqlite = Object.assign(Object.create(database.sqlite) as typeof database.sqlite, {
    close: () => database.sqlite,
  });
  const second = await build({ ...database, sqlite }, { proofsDir: first.proofsDir });
  onTestFinished(() => undefined);
  return [first, second];
}
