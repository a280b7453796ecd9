import { relative } from 'node:path';
import { expect, it } from 'vitest';
import { COMPILE_CACHE, PROGRAM_FILE } from '#server/testing/program/program.ts';
import { killImports } from './import-kill.ts';

const MINUTE = 60_000;

it(
  'leaves the list as before or as after an import when the server is killed in it or in its revert',
  { timeout: 4 * MINUTE },
  async () => {
    const script = relative(process.cwd(), PROGRAM_FILE);
    const counts = await killImports({ script, kills: 4, seed: 3, objects: 200, environment: COMPILE_CACHE });
    expect(counts.before + counts.after).toBe(4);
    expect(counts.between).toBeGreaterThan(0);
  },
);
