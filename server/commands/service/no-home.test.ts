import { expect, it, vi } from 'vitest';
import { CommandError } from '../terminal/command-errors.ts';

/** Node does this for a user id without an entry in the list of users, and without HOME. */
vi.mock(import('node:os'), async (original) => ({
  ...(await original()),
  homedir: () => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)');
  },
}));

it('lets an account without a home folder use every command, and says in one line what a service of its own needs', async () => {
  const { chooseCommand } = await import('../registry.ts');
  const { command, args } = chooseCommand(['help']);
  expect(await command(args)).toBe(0);
  const { createServiceManager } = await import('./service-managers.ts');
  const host = { root: '/', home: null, run: () => ({ ok: true, output: '' }) };
  for (const platform of ['linux', 'darwin'] as const) {
    expect(() => createServiceManager({ ...host, platform, uid: 1000 })).toThrow(CommandError);
    expect(() => createServiceManager({ ...host, platform, uid: 0 })).not.toThrow();
  }
});
