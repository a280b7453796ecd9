import { expect, it } from 'vitest';
import { buildTestApp } from '#server/testing/test-app.ts';
import { createUsualWait } from './usual-wait.ts';

it('goes on after a database that was lost for a moment', async () => {
  const { context } = await buildTestApp();
  let reads = 0;
  const orm = new Proxy(context.orm, {
    get(target, name) {
      reads += 1;
      if (reads === 1) throw new Error('the database is lost');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const usualWait = createUsualWait({ ...context, orm });
  expect(await usualWait.current()).toBeNull();
  // It rests for a while after each read.
  await expect.poll(() => usualWait.current().then(() => reads)).toBeGreaterThan(1);
});
