import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, matchesGlob, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import vitestConfig from './vitest.config.ts';

/** The rules of the house, kept by reading the tree. Each rule is also shown samples that it must refuse. */

type SourceFile = { path: string; text: string };
type Rule = {
  title: string;
  /** What is wrong with a file; nothing for a file that keeps the rule. */
  findViolations: (file: SourceFile) => string[];
  /** By path: every one of them must be refused … */
  invalidSamples: Record<string, string>;
  /** … and none of these. */
  validSamples: Record<string, string>;
};

const ROOTS = ['shared', 'client', 'server', 'scripts', 'e2e'];
const CODE = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;

function readTree(): SourceFile[] {
  const nestedPaths = ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name.replaceAll('\\', '/')}`),
  );
  return (
    [...readdirSync('.'), ...nestedPaths]
      // This file quotes what it forbids.
      .filter((path) => CODE.test(path) && !path.includes('node_modules/') && path !== 'architecture.test.ts')
      .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  );
}

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const withoutComments = (text: string): string => text.replace(TOKEN, (token) => (token.startsWith('/') ? '' : token));
/** Neither comments nor what stands in quotes. */
const stripCommentsAndStrings = ({ text }: SourceFile): string =>
  text.replace(TOKEN, (token) => (token.startsWith('/') ? '' : "''"));

const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;

/** What a file imports: paths from the root of the project, or names of packages. */
function importsOf({ path, text }: SourceFile): string[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(([, name = '']) => {
    if (name.startsWith('#')) return name.slice(1);
    return name.startsWith('.') ? posix.join(dirname(path), name) : name;
  });
}

const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path) || path.includes('/testing/');
const isConfig = (path: string): boolean => /\.config\.(ts|cjs)$/.test(path);
const featureOf = (path: string): string | undefined => /^(?:client|server)\/features\/[^/]+/.exec(path)?.[0];
/** What a feature of the client offers to other features: its display folder, its queries and their keys. */
const isOffered = (path: string): boolean => /^client\/features\/[^/]+\/(display\/|(api|keys)\.ts$)/.test(path);
const isBelow = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

/** A rule about imports: `isWrong` gets the file and one thing that it imports. */
const forbidImport = (isForbidden: (path: string, imported: string) => boolean) => (file: SourceFile) =>
  importsOf(file)
    .filter((imported) => isForbidden(file.path, imported))
    .map((imported) => `imports ${imported}`);

/** A rule about code: the pattern stands nowhere but in the files that `mayIn` lets. */
const forbidCode = (pattern: RegExp, isAllowedIn: (path: string) => boolean) => (file: SourceFile) =>
  isAllowedIn(file.path)
    ? []
    : (stripCommentsAndStrings(file).match(pattern) ?? []).slice(0, 1).map((found) => `says ${found.trim()}`);

/** register 4 → routes 3 → service 2 → queries 1; what has no such name (a pure helper) may stand anywhere below the routes. */
const LAYERS: [RegExp, number][] = [
  [/register\.ts$/, 4],
  [/routes\.ts$/, 3],
  [/(service|present)\.ts$/, 2],
  [/queries\.ts$/, 1],
];
const layerOf = (path: string): number | undefined => LAYERS.find(([name]) => name.test(path))?.[1];
const SERVER_COMPOSITION_FILES = ['server/app.ts', 'server/worker-queries.ts', 'server/main.ts'];
const isServerComposition = (path: string): boolean =>
  SERVER_COMPOSITION_FILES.includes(path) || isBelow(path, 'server/commands');

/** main 5 → app 4 → features 3 → ui, realtime, exports 2 → lib 1 → paths 0. */
const CLIENT_LAYERS: [folder: RegExp, layer: number][] = [
  [/^client\/main\.tsx$/, 5],
  [/^client\/app\//, 4],
  [/^client\/features\//, 3],
  [/^client\/(ui|realtime|exports)\//, 2],
  [/^client\/lib\//, 1],
  [/^client\/paths\.ts$/, 0],
];
const clientLayerOf = (path: string): number | undefined => CLIENT_LAYERS.find(([folder]) => folder.test(path))?.[1];
const topFolderOf = (path: string): string => path.split('/').slice(0, 2).join('/');

const EMITTING_FILES = ['server/realtime/publish.ts', 'server/http/listen/secure-listener.ts'];

const vitestIncludes = (vitestConfig.test?.projects ?? []).flatMap((project) =>
  typeof project === 'object' && 'test' in project ? (project.test?.include ?? []) : [],
);

const rules: Rule[] = [
  {
    title: 'shared imports nothing but itself and the schema library',
    findViolations: forbidImport(
      (path, imported) =>
        isBelow(path, 'shared') &&
        !isBelow(imported, 'shared') &&
        imported !== 'zod' &&
        !(isTest(path) && ['vitest', 'fast-check'].includes(imported)),
    ),
    invalidSamples: {
      'shared/a.ts': "import { b } from '#server/b.ts';",
      'shared/b/c.ts': "import type { D } from '../../client/d.ts';",
      'shared/d.ts': "import { readFileSync } from 'node:fs';",
      'shared/e.ts': "export { default } from 'dayjs';",
      'shared/f.ts': "const g = await import('fast-check');",
    },
    validSamples: {
      'shared/a/b.ts': "import { z } from 'zod';\nimport { c } from '../c.ts';\nimport { d } from '#shared/d.ts';",
      'shared/b.test.ts': "import fc from 'fast-check';",
      'server/c.ts': "import { d } from 'node:fs';",
    },
  },
  {
    title: 'shared has no clock and no chance',
    findViolations: forbidCode(
      /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\.now\b/g,
      (path) => !isBelow(path, 'shared') || isTest(path),
    ),
    invalidSamples: {
      'shared/a.ts': 'const at = Date.now();',
      'shared/b.ts': 'const at = new Date( );',
      'shared/c.ts': 'Math.random()',
    },
    validSamples: { 'shared/a.ts': '// Date.now() is not ours\nconst at = new Date(ms);', 'server/b.ts': 'Date.now()' },
  },
  {
    title: 'client and server never import each other',
    findViolations: forbidImport(
      (path, imported) =>
        (isBelow(path, 'client') && isBelow(imported, 'server')) ||
        (isBelow(path, 'server') && isBelow(imported, 'client')),
    ),
    invalidSamples: {
      'client/a.ts': "import type { B } from '#server/b.ts';",
      'client/features/x/b.tsx': "import '../../../server/c.ts';",
      'server/c.ts': "import { d } from '#client/lib/d.ts';",
    },
    validSamples: { 'client/a.ts': "import { b } from '#shared/b.ts';\nimport { c } from './lib/c.ts';" },
  },
  {
    title: 'features do not import features, except what another one offers on the client',
    findViolations: forbidImport((path, imported) => {
      const [own, other] = [featureOf(path), featureOf(imported)];
      return own !== undefined && other !== undefined && own !== other && !isOffered(imported);
    }),
    invalidSamples: {
      'server/features/chat/queries.ts': "import { x } from '#server/features/auth/display/a.ts';",
      'server/features/chat/service.ts': "import { x } from '#server/features/auth/service.ts';",
      'client/features/chat/a.tsx': "import { x } from '../users/b.ts';",
    },
    validSamples: {
      'client/features/chat/a/b.tsx': "import { x } from '../c.ts';\nimport { d } from '#client/lib/d.ts';",
      'client/features/dashboard/a.tsx': "import { x } from '#client/features/tax-records/display/b.tsx';",
    },
  },
  {
    title: 'only app.ts, worker-queries.ts, the commands and client/app join the features',
    findViolations: forbidImport(
      (path, imported) =>
        featureOf(imported) !== undefined &&
        isBelow(path, 'client', 'server') &&
        featureOf(path) === undefined &&
        !isServerComposition(path) &&
        !isBelow(path, 'client/app'),
    ),
    invalidSamples: {
      'server/http/session-guards.ts': "import { x } from '#server/features/auth/sessions.ts';",
      'server/service-context.ts': "import type { X } from './features/auth/register.ts';",
      'client/components/a.tsx': "import { x } from '../features/chat/b.ts';",
    },
    validSamples: {
      'server/app.ts': "import { x } from './features/auth/routes.ts';",
      'client/app/router.tsx': "const page = () => import('#client/features/auth/login-page.tsx');",
    },
  },
  {
    title: 'client: main → app → features → ui, realtime, exports → lib → paths, downwards only',
    findViolations: forbidImport((path, imported) => {
      const [own, other] = [clientLayerOf(path), clientLayerOf(imported)];
      if (isTest(path) || own === undefined || other === undefined) return false;
      return other > own || (other === own && topFolderOf(path) !== topFolderOf(imported));
    }),
    invalidSamples: {
      'client/features/users/a.tsx': "import { x } from '#client/app/router.tsx';",
      'client/ui/form/a.tsx': "import { x } from '#client/features/users/api.ts';",
      'client/ui/form/b.tsx': "import { x } from '#client/realtime/socket.ts';",
      'client/lib/a.ts': "import { x } from '../ui/page/b.ts';",
      'client/paths.ts': "import { x } from './lib/a.ts';",
    },
    validSamples: {
      'client/main.tsx': "import { x } from './app/router.tsx';",
      'client/ui/form/a.tsx': "import { x } from '#client/lib/api.ts';\nimport { y } from '../page/b.ts';",
      'client/ui/form/a.test.tsx': "import { x } from '#client/app/guards.tsx';",
      'client/lib/a.ts': "import { x } from '#client/paths.ts';",
    },
  },
  {
    title: 'register → routes → service → queries → db, downwards only',
    findViolations: forbidImport((path, imported) => {
      if (isTest(path) || !isBelow(path, 'server')) return false;
      if (isBelow(path, 'server/db'))
        return isBelow(imported, 'server') && !isBelow(imported, 'server/db', 'server/files');
      if (isBelow(imported, 'server/db')) return featureOf(path) !== undefined && (layerOf(path) ?? 0) >= 3;
      if (imported === 'server/main.ts' || (imported === 'server/app.ts' && !isBelow(path, 'server/commands')))
        return true;
      return (
        featureOf(path) !== undefined &&
        featureOf(imported) !== undefined &&
        (layerOf(imported) ?? 0) > (layerOf(path) ?? 2)
      );
    }),
    invalidSamples: {
      'server/features/chat/service.ts': "import { x } from './routes.ts';",
      'server/features/chat/routes.ts': "import { x } from './register.ts';",
      'server/features/chat/queries.ts': "import { x } from './service.ts';",
      'server/features/chat/list-queries.ts': "import type { X } from './present.ts';",
      'server/features/chat/list-routes.ts': "import type { Connection } from '#server/db/open.ts';",
      'server/db/open.ts': "import { x } from '#server/http/errors.ts';",
      'server/db/migrate.ts': "import { x } from '#server/operations/backups/restore.ts';",
      'server/http/a.ts': "import { buildApp } from '../app.ts';",
    },
    validSamples: {
      'server/features/chat/routes.ts': "import { x } from './service.ts';\nimport * as queries from './queries.ts';",
      'server/features/chat/service.ts':
        "import type { Connection } from '#server/db/open.ts';\nimport { a } from './queries.ts';",
      'server/db/migrate.ts': "import type { Resources } from '#server/files/resources.ts';",
    },
  },
  {
    title: 'backups stand on the database and the settings alone: they also run without a server',
    findViolations: forbidImport(
      (path, imported) =>
        isBelow(path, 'server/operations/backups') &&
        !isTest(path) &&
        isBelow(imported, 'server') &&
        !isBelow(imported, 'server/operations/backups', 'server/db', 'server/files') &&
        !['server/settings.ts', 'server/version.ts'].includes(imported),
    ),
    invalidSamples: {
      'server/operations/backups/backup-job.ts': "import { AppError } from '#server/http/errors.ts';",
      'server/operations/backups/retention.ts': "import type { Context } from '../context.ts';",
    },
    validSamples: {
      'server/operations/backups/create-archive.ts':
        "import { openReadOnly } from '#server/db/open.ts';\nimport { a } from './names.ts';",
      'server/operations/backups/testing/data-folder.ts':
        "import { testResources } from '#server/testing/test-app.ts';",
    },
  },
  {
    title: 'in server, only tests import server/testing, which imports the app',
    findViolations: forbidImport(
      (path, imported) => isBelow(path, 'server') && isBelow(imported, 'server/testing') && !isTest(path),
    ),
    invalidSamples: { 'server/features/chat/a.ts': "import { b } from '#server/testing/factories.ts';" },
    validSamples: { 'server/features/chat/a.test.ts': "import { b } from '#server/testing/factories.ts';" },
  },
  {
    title: 'only settings.ts reads the environment',
    findViolations: forbidCode(
      /\bprocess\.env\b|\benv\b.*from ''|\bimport\.meta\.env\b/g,
      (path) => path === 'server/settings.ts' || isConfig(path) || isBelow(path, 'scripts', 'e2e'),
    ),
    invalidSamples: {
      'server/a.ts': "if (process.env['CI']) x();",
      'client/b.ts': 'const { MODE } = import.meta.env;',
    },
    validSamples: {
      'server/settings.ts': 'process.env',
      'a.config.ts': 'process.env',
      'server/b.ts': '// process.env is read elsewhere',
    },
  },
  {
    title: 'only queries.ts files name tables',
    findViolations: forbidImport(
      (path, imported) =>
        imported === 'server/db/schema.ts' &&
        !isTest(path) &&
        !isBelow(path, 'server/db', 'server/testing', 'scripts/seed') &&
        !path.endsWith('queries.ts'),
    ),
    invalidSamples: {
      'server/features/chat/service.ts': "import { messages } from '#server/db/schema.ts';",
      'scripts/build.ts': "import '../server/db/schema.ts';",
    },
    validSamples: {
      'server/features/chat/list-queries.ts': "import { messages } from '#server/db/schema.ts';",
      'server/db/open.ts': "import './schema.ts';",
    },
  },
  {
    title: 'only client/lib/api.ts calls the server',
    findViolations: forbidCode(
      /(?<![.\w])fetch\(|\bwindow\.fetch\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b/g,
      (path) => !isBelow(path, 'client') || path === 'client/lib/api.ts' || isTest(path),
    ),
    invalidSamples: {
      'client/a.ts': "await fetch('/x')",
      'client/b.tsx': 'new XMLHttpRequest()',
      'client/c.ts': 'window.fetch(x)',
    },
    validSamples: {
      'client/lib/api.ts': "fetch('/x')",
      'client/a.ts': 'void query.refetch(); prefetch();',
      'server/b.ts': 'fetch(x)',
    },
  },
  {
    title: 'only publish.ts emits',
    findViolations: forbidCode(
      /\.emit(WithAck)?\(|\.volatile\b/g,
      // A secure connection is handed to the HTTP server as Node hands its own: no push to anybody.
      (path) => !isBelow(path, 'server') || EMITTING_FILES.includes(path) || isTest(path),
    ),
    invalidSamples: {
      'server/features/chat/service.ts': "io.to('a').emit('b')",
      'server/realtime/namespace.ts': 'socket.emitWithAck(x)',
      'server/http/listen.ts': "server.emit('request')",
    },
    validSamples: {
      'server/realtime/publish.ts': 'target.emit(event)',
      'client/realtime/socket.ts': "socket.emit('typing')",
    },
  },
  {
    title: 'no barrels, no drawers for everything, no hand-written declarations',
    findViolations: ({ path, text }) => [
      ...(/^(index|utils?|helpers?|misc|common)\.[a-z]+$/.test(basename(path)) ? ['has a name that says nothing'] : []),
      ...(/\.d\.[mc]?ts$/.test(path) ? ['is a hand-written declaration'] : []),
      ...(/\bexport \*(?! as\b)/.test(withoutComments(text)) ? ['passes on everything of another file'] : []),
    ],
    invalidSamples: {
      'client/lib/index.ts': '',
      'server/utils.ts': '',
      'shared/helpers.tsx': '',
      'client/a.d.ts': '',
      'client/b.ts': "export * from './c.ts';",
    },
    validSamples: { 'client/features/tax-records/list-page.tsx': 'export const a = 1;' },
  },
  {
    title: 'no default exports but where a tool needs one',
    findViolations: forbidCode(/\bexport default\b|\bas default\b/g, isConfig),
    invalidSamples: { 'client/a.tsx': 'export default function A() {}', 'client/b.ts': 'export { a as default };' },
    validSamples: { 'vite.config.ts': 'export default {}', 'client/a.ts': 'export const a = 1; // export default' },
  },
  {
    title: 'no file over 300 lines, no test over 400',
    findViolations: ({ path, text }) => {
      const [lines, most] = [text.trimEnd().split('\n').length, isTest(path) ? 400 : 300];
      return lines > most ? [`has ${lines} lines`] : [];
    },
    invalidSamples: { 'server/a.ts': 'x\n'.repeat(301), 'server/a.test.ts': 'x\n'.repeat(401) },
    validSamples: { 'server/a.ts': 'x\n'.repeat(300), 'server/a.test.ts': 'x\n'.repeat(400) },
  },
  {
    title: 'no any',
    findViolations: forbidCode(/(?:[:<|&,=(]|\bas|\bextends|=>)\s*any\b(?!\s*[:(.])/g, () => false),
    invalidSamples: {
      'a.ts': 'const a: any = 1;',
      'b.ts': 'x as any',
      'c.ts': 'Map<string, any>',
      'd.ts': 'f<any>()',
      'e.ts': 'type A = any[]',
    },
    validSamples: { 'a.ts': '// any of them\nconst anything: string = "any";\nPromise.any(list)' },
  },
  {
    title: 'no switching off of the type checker',
    findViolations: ({ text }) =>
      (text.match(/@ts-(ignore|nocheck)/) ?? []).slice(0, 1).map((found) => `says ${found}`),
    invalidSamples: { 'a.ts': '// @ts-ignore\nx();', 'b.ts': '/* @ts-nocheck */' },
    validSamples: { 'a.ts': '// why the types differ here' },
  },
  {
    title: 'no test that is skipped, alone or still to do',
    findViolations: forbidCode(
      /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|fails)\b|\b(?:xit|xdescribe|fit|fdescribe)\(/g,
      () => false,
    ),
    invalidSamples: {
      'a.test.ts': "it.skip('x')",
      'b.test.ts': "describe.only('x')",
      'c.e2e.ts': "test.describe.only('x')",
      'd.test.ts': "it.todo('x')",
    },
    validSamples: { 'a.test.ts': "it('skips nothing', () => {}); // it.skip", 'b.ts': 'list.skip(1)' },
  },
  {
    title: 'names in kebab-case',
    findViolations: ({ path }) =>
      path
        .split('/')
        .filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/.test(part))
        .map((part) => `is called ${part}`),
    invalidSamples: { 'client/LoginPage.tsx': '', 'client/features/taxRecords/a.ts': '', 'server/rate_limit.ts': '' },
    validSamples: { 'client/features/tax-records/list-page.test.tsx': '' },
  },
  {
    title: 'every test is picked up by a runner',
    findViolations: ({ path, text }) => {
      const isNamed = /\.(test|spec)\.[a-z]+$/.test(path);
      const hasTests = importsOf({ path, text }).includes('vitest') && /^(?:it|test|describe)(?:\.\w+)*\(/m.test(text);
      if (/\.e2e\.[a-z]+$/.test(path)) return isBelow(path, 'e2e') ? [] : ['is outside e2e/'];
      return (isNamed || hasTests) && !vitestIncludes.some((pattern) => matchesGlob(path, pattern))
        ? ['is matched by no project']
        : [];
    },
    invalidSamples: {
      'e2e/a.test.ts': '',
      'server/a.spec.ts': '',
      'server/b.ts': "import { it } from 'vitest';\nit('works', () => {});",
      'client/c.e2e.ts': '',
      'tools/d.test.ts': '',
    },
    validSamples: {
      'server/a/b.test.ts': '',
      'client/a.test.tsx': '',
      'e2e/a.e2e.ts': '',
      'shared/x/y/z.test.ts': '',
      'own.test.ts': '',
    },
  },
];

const tree = readTree();
const findAllViolations = (rule: Rule, files: SourceFile[]): string[] =>
  files.flatMap((file) => rule.findViolations(file).map((violation) => `${file.path} ${violation}`));
const toSourceFiles = (samples: Record<string, string>): SourceFile[] =>
  Object.entries(samples).map(([path, text]) => ({ path, text }));

describe.each(rules)('$says', (rule) => {
  it('holds', () => {
    expect(findAllViolations(rule, tree)).toEqual([]);
  });

  it('can be broken', () => {
    const unnoticed = toSourceFiles(rule.invalidSamples).filter((file) => findAllViolations(rule, [file]).length === 0);
    expect(unnoticed.map(({ path }) => path)).toEqual([]);
    expect(findAllViolations(rule, toSourceFiles(rule.validSamples))).toEqual([]);
  });
});

it('reads the whole tree', () => {
  const paths = tree.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['server/app.ts', 'client/main.tsx', 'shared/limits.ts', 'vitest.config.ts']),
  );
  expect(vitestIncludes.length).toBeGreaterThan(3);
});
