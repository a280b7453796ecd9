import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Below the project, where the server finds the database library. */
const FOLDER = '.cache/builds';
const PACKED = /\.(br|gz|map)$/;
const TEXT = /\.(js|css|html|json)$/;

export type OtherBuild = { program: string; remove: () => void };

/** Another build of the same program: every file of the client has another name, as after an upgrade. */
export function makeOtherBuild(): OtherBuild {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'build-'));
  for (const part of ['server', 'client', 'docs', 'guide', 'handbook', 'migrations']) {
    cpSync(join('dist', part), join(folder, part), { recursive: true, filter: (file) => !PACKED.test(file) });
  }
  const client = join(folder, 'client');
  const { build } = JSON.parse(readFileSync(join(client, 'build.json'), 'utf8')) as { build: string };
  const names = readdirSync(join(client, 'assets'));
  const newNames = new Map([...names.map((name) => [name, `lain-${name}`] as const), [build, `lain-${build}`]]);
  // The longest first: a name may be the beginning of another one.
  const oldNames = [...newNames.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const anyName = new RegExp(oldNames.join('|'), 'g');
  for (const name of readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((path) => TEXT.test(path))) {
    const text = readFileSync(join(client, name), 'utf8');
    writeFileSync(
      join(client, name),
      text.replace(anyName, (old) => newNames.get(old) ?? old),
    );
  }
  for (const name of names) renameSync(join(client, 'assets', name), join(client, 'assets', `lain-${name}`));
  return {
    program: join(folder, 'server', 'main.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
