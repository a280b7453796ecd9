import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, STRING_OR_COMMENT, type SourceFile, withoutComments } from './scripts/imports.ts';
import { settingsTable } from '#server/settings-table.ts';
import { TAX_RECORD_FIELDS } from '#shared/domain/tax-records/tax-record-fields.ts';
import vitestConfig from './vitest.config.ts';

/**
 * The structural rules of docs/architecture.md that the linter cannot express, checked against the source text.
 * Each rule also runs on samples that it must refuse, so a rule that matches nothing fails.
 */

type Rule = {
  title: string;
  /** The violations in one file; empty when the file keeps the rule. */
  findViolations: (file: SourceFile) => string[];
  /** File contents by path. The rule must refuse each of them. */
  invalidSamples: Record<string, string>;
  /** File contents by path. The rule must accept all of them. */
  validSamples: Record<string, string>;
};
/** A rule that needs the whole tree at once. */
type TreeRule = {
  title: string;
  findViolations: (files: SourceFile[]) => string[];
  /** Trees that the rule must refuse. */
  invalidTrees: Record<string, string>[];
  validTree: Record<string, string>;
};

const ROOTS = ['shared', 'client', 'server', 'scripts', 'e2e'];
const CODE = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;

function readTree(): SourceFile[] {
  const nestedPaths = ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name.replaceAll('\\', '/')}`),
  );
  return (
    [...readdirSync('.'), ...nestedPaths]
      // This file contains the forbidden samples.
      .filter((path) => CODE.test(path) && !path.includes('node_modules/') && path !== 'architecture.test.ts')
      .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  );
}

/** The code without comments and without the content of string literals. */
const stripCommentsAndStrings = ({ text }: SourceFile): string =>
  text.replace(STRING_OR_COMMENT, (token) => (token.startsWith('/') ? '' : "''"));

const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$/.test(path) || path.includes('/testing/');
const isConfig = (path: string): boolean => /\.config\.(ts|cjs)$/.test(path);
const featureOf = (path: string): string | undefined => /^(?:client|server)\/features\/[^/]+/.exec(path)?.[0];
/** What a feature of the client offers to other features: its display folder, its queries and their keys. */
const isOffered = (path: string): boolean => /^client\/features\/[^/]+\/(display\/|(api|keys)\.ts$)/.test(path);
const isBelow = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

/** Builds a rule about imports. */
const forbidImport = (isForbidden: (path: string, imported: string) => boolean) => (file: SourceFile) =>
  importsOf(file)
    .filter((imported) => isForbidden(file.path, imported))
    .map((imported) => `imports ${imported}`);

/** Builds a rule about code outside comments and strings. */
const forbidCode = (pattern: RegExp, isAllowedIn: (path: string) => boolean) => (file: SourceFile) =>
  isAllowedIn(file.path)
    ? []
    : (stripCommentsAndStrings(file).match(pattern) ?? []).slice(0, 1).map((found) => `says ${found.trim()}`);

/** A file may import its own layer and lower ones. Files without a layer count as services. */
const LAYERS: [RegExp, number][] = [
  [/register\.ts$/, 4],
  [/routes\.ts$/, 3],
  [/(service|present)\.ts$/, 2],
  [/queries\.ts$/, 1],
];
const layerOf = (path: string): number | undefined => LAYERS.find(([name]) => name.test(path))?.[1];
/** These files may import every feature of the server. */
const SERVER_COMPOSITION_FILES = ['server/app.ts', 'server/worker-queries.ts', 'server/main.ts'];
const isServerComposition = (path: string): boolean =>
  SERVER_COMPOSITION_FILES.includes(path) || isBelow(path, 'server/commands');

/** main 6 → app 5 → features, service worker 4 → exports 3 → ui, realtime 2 → lib 1 → paths 0. */
const CLIENT_LAYERS: [folder: RegExp, layer: number][] = [
  [/^client\/main\.tsx$/, 6],
  [/^client\/app\//, 5],
  [/^client\/(features|service-worker)\//, 4],
  [/^client\/exports\//, 3],
  [/^client\/(ui|realtime)\//, 2],
  [/^client\/lib\//, 1],
  [/^client\/paths\.ts$/, 0],
];
const clientLayerOf = (path: string): number | undefined => CLIENT_LAYERS.find(([folder]) => folder.test(path))?.[1];
const topFolderOf = (path: string): string => path.split('/').slice(0, 2).join('/');

const EMITTING_FILES = ['server/realtime/publish.ts', 'server/http/listen/secure-listener.ts'];

const definedNumbers = [...readFileSync('docs/requirements.md', 'utf8').matchAll(/^- \*\*(R-[A-Z]+-\d+)\*\*/gm)].map(
  ([, number = '']) => number,
);
const requirementNumbers = new Set(definedNumbers);

/** Words that docs/glossary.md replaced, alone or as a part of a camelCase name. */
const REPLACED_WORDS =
  /\b(?:[Cc]ontract|[Ss]pecification|[Hh]ouse)s?\b|\b(?:contract|house)(?=[A-Z])|[a-z](?:Contract|House)(?![a-z])|(?<![A-Z])HOUSE(?![A-Z])/g;

/** Files whose texts reach a screen: those of the browser, and of the server what calls answer and what is stored for a page. */
const reachesScreen = (path: string): boolean =>
  !isTest(path) &&
  (isBelow(path, 'client', 'shared', 'server/features', 'server/operations/backups') ||
    ['server/operations/acme/acme-failure.ts', 'server/operations/tls/trust-page.ts'].includes(path)) &&
  // Its texts end the start of the server.
  path !== 'server/features/auth/first-admin.ts';
const SETTING_NAMES = new RegExp(`\\b(?:${Object.keys(settingsTable).join('|')}|setelan\\.env)\\b`);

/** Words of docs/glossary.md, 'Words on screen', that another one replaced. */
const REPLACED_SCREEN_WORDS =
  /\b(?:data pajak|catatan pajak|kata sandi|belum lunas|(?:belum|sudah) dibayar|petugas komputer|(?:seorang|semua) user)\b/i;
/** The texts with such a word that docs/requirements.md promises, and the names of pages made from them. */
const QUOTED_TEXTS = [
  'Manajemen Catatan Pajak',
  'Catatan Pajak Terbaru',
  'Belum ada catatan pajak',
  ...['', 'Tambah ', 'Detail ', 'Edit ', 'Export ', 'daftar ', 'Layanan '].map((verb) => `${verb}Data Pajak`),
  'Data Pajak Tidak Ditemukan',
  ...['Gagal memuat', 'Gagal memperbarui', 'Gagal menambahkan'].map((failed) => `${failed} data pajak`),
  ...['tidak ditemukan', 'berhasil ditambahkan', 'berhasil diperbarui'].map((result) => `Data pajak ${result}`),
  'Belum Lunas',
  'Diperiksa kantor, belum lunas',
  'Cocok, belum lunas',
  'cocok, belum lunas',
].toSorted((a, b) => b.length - a.length);
const withoutQuotedTexts = (text: string): string =>
  QUOTED_TEXTS.reduce((left, quoted) => left.replaceAll(quoted, ''), text);

/** A comment that begins so has no noun: its reader asks for the subject. */
const NOUNLESS =
  /^(?:What|Whatever|Who|Whose|Whom|Whoever|How|However many|Where|As many|As much|So many|So much|As long|As far|Nobody)\b/;
/** The text of each comment, without its marks and its line ends. */
const commentsIn = ({ text }: SourceFile): string[] =>
  (text.match(STRING_OR_COMMENT) ?? [])
    .filter((token) => token.startsWith('/'))
    .map((token) =>
      token
        .replaceAll(/\n\s*(?:\/\/|\*(?!\/))?/g, ' ')
        .replaceAll(/^[/*\s]+|[*/\s]+$/g, '')
        .replaceAll(/\s+/g, ' '),
    );
/** The call of a test, with the arguments of `it.each(…)`, and the beginning of its title. */
const TITLE_WITHOUT_SUBJECT =
  /\b(?:it|test)(?:\.[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?)?\(\s*['"`]((?:is|are|has|have)\b[^'"`\n]{0,60})/g;

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md')),
];

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
    title: 'client: main → app → features → exports → ui, realtime → lib → paths, downwards only',
    findViolations: forbidImport((path, imported) => {
      const [own, other] = [clientLayerOf(path), clientLayerOf(imported)];
      if (isTest(path) || own === undefined || other === undefined) return false;
      return other > own || (other === own && topFolderOf(path) !== topFolderOf(imported));
    }),
    invalidSamples: {
      'client/features/users/a.tsx': "import { x } from '#client/app/router.tsx';",
      'client/lib/c.ts': "import { d } from '../app/theme.ts';",
      'client/service-worker/a.ts': "import { d } from '#client/app/theme.ts';",
      'client/ui/form/a.tsx': "import { x } from '#client/features/users/api.ts';",
      'client/ui/form/b.tsx': "import { x } from '#client/realtime/socket.ts';",
      'client/ui/form/c.tsx': "import { x } from '#client/exports/use-export.ts';",
      'client/lib/a.ts': "import { x } from '../ui/page/b.ts';",
      'client/paths.ts': "import { x } from './lib/a.ts';",
    },
    validSamples: {
      'client/main.tsx': "import { x } from './app/router.tsx';",
      'client/ui/form/a.tsx': "import { x } from '#client/lib/api/api.ts';\nimport { y } from '../page/b.ts';",
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
        !['server/settings.ts', 'server/process/version.ts'].includes(imported),
    ),
    invalidSamples: {
      'server/operations/backups/backup-job.ts': "import { AppError } from '#server/http/errors.ts';",
      'server/operations/backups/retention.ts': "import type { Context } from '../context.ts';",
    },
    validSamples: {
      'server/operations/backups/archive/create-archive.ts':
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
    title: "in server, only db/ and tests know better-sqlite3 and Drizzle's drivers",
    findViolations: forbidImport(
      (path, imported) =>
        isBelow(path, 'server') &&
        !isBelow(path, 'server/db') &&
        !isTest(path) &&
        /^(better-sqlite3|drizzle-orm\/(better-sqlite3|sqlite-proxy).*)$/.test(imported),
    ),
    invalidSamples: {
      'server/features/chat/queries.ts': "import { drizzle } from 'drizzle-orm/sqlite-proxy';",
      'server/operations/a.ts': "import type Database from 'better-sqlite3';",
      'server/http/b.ts': "import { c } from 'drizzle-orm/better-sqlite3/session';",
    },
    validSamples: {
      'server/db/open.ts': "import Database from 'better-sqlite3';",
      'server/features/chat/queries.ts': "import { alias } from 'drizzle-orm/sqlite-core';",
      'server/testing/a.ts': "import Database from 'better-sqlite3';",
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
    title:
      'only client/lib/api/api.ts calls the server; boot.js before it is there, and the service worker without a page',
    findViolations: forbidCode(
      /(?<![.\w])fetch\(|\bwindow\.fetch\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b/g,
      (path) =>
        !isBelow(path, 'client') ||
        isBelow(path, 'client/service-worker') ||
        ['client/lib/api/api.ts', 'client/public/boot.js'].includes(path) ||
        isTest(path),
    ),
    invalidSamples: {
      'client/a.ts': "await fetch('/x')",
      'client/b.tsx': 'new XMLHttpRequest()',
      'client/c.ts': 'window.fetch(x)',
    },
    validSamples: {
      'client/lib/api/api.ts': "fetch('/x')",
      'client/public/boot.js': "fetch('/x')",
      'client/service-worker/a.ts': "fetch('/x')",
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
  {
    title: 'cites only requirements that docs/requirements.md lists',
    findViolations: ({ text }) =>
      [...text.matchAll(/\bR-[A-Z]+-\d+\b/g)]
        .filter(([citation]) => !requirementNumbers.has(citation))
        .map(([citation]) => `cites ${citation}`),
    invalidSamples: {
      'server/a.ts': '// R-CHAT-9999',
      'client/b.test.ts': "it('keeps docs/requirements.md R-NONE-1')",
    },
    validSamples: { 'server/a.ts': '// Ids only grow: docs/requirements.md R-CHAT-2.' },
  },
  {
    title: 'a comment begins with a subject, not with What, Who, How, Where, As many or Nobody',
    findViolations: (file) =>
      commentsIn(file)
        .filter((comment) => NOUNLESS.test(comment))
        .map((comment) => `says "${comment.slice(0, 60)}"`),
    invalidSamples: {
      'server/a.ts': '// What the delivery needs.',
      'server/b.ts': '/** How many rows a page has. */',
      'client/c.tsx': '/**\n * As long as a long press.\n */',
      'client/d.ts': 'const a = 1; // Nobody reads it.',
    },
    validSamples: {
      'server/a.ts': "// The delivery needs this.\n// What follows is the second line.\nconst text = '// What';",
      'server/b.ts': '/** Whether it waits. */',
    },
  },
  {
    title: 'a test title says what happens and does not begin with is, are, has or have',
    findViolations: ({ text }) => [...text.matchAll(TITLE_WITHOUT_SUBJECT)].map(([, title]) => `says "${title}"`),
    invalidSamples: {
      'server/a.test.ts': "it('is sent once', run);",
      'server/b.test.ts': "it.each([[1, f(2)]])('are %i and %i', run);",
      'e2e/c.e2e.ts': "test(\n  'has no link',\n  run);",
    },
    validSamples: { 'server/a.test.ts': "it('isolates users', run); describe('is', run);" },
  },
  {
    title: 'uses none of the words that the glossary replaced',
    findViolations: ({ text }) => [...text.matchAll(REPLACED_WORDS)].slice(0, 1).map(([word]) => `says ${word}`),
    invalidSamples: {
      'server/a.ts': '// see the contract',
      'server/b.ts': '// Specification 9',
      'server/c.ts': 'const houseName = 1;',
      'client/d.tsx': 'function openHouse() {}',
      'e2e/e.e2e.ts': "test('the rules of the house', run);",
    },
    validSamples: {
      'client/a.tsx': "const title = 'Kantor Pajak';",
      'client/exports/b.ts': "const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';",
      'server/c.ts': 'const warehouse = 1;',
    },
  },
  {
    title: 'no screen names a setting of the server (R-UI-7)',
    findViolations: ({ path, text }) => {
      const name = reachesScreen(path) ? SETTING_NAMES.exec(withoutComments(text)) : null;
      return name ? [`says ${name[0]}`] : [];
    },
    invalidSamples: {
      'client/features/system/a.tsx': '<Text>Nyalakan dengan setelan BACKUP_EVERY_HOURS di server.</Text>',
      'client/features/system/b.tsx': "const hint = 'Pastikan setelan HOST bernilai 0.0.0.0.';",
      'client/features/system/c.ts': "const text = 'Tulis TLS=on, lalu jalankan ulang.';",
      'client/ui/d.ts': "const text = 'Periksa setelan.env.';",
      'shared/texts.ts': 'const full = (n: number) => `Batas ${n}. Naikkan QUOTA_RECORDS.`;',
      'server/operations/acme/acme-failure.ts': 'return `Periksa TLS_DOMAIN.`;',
      'server/operations/backups/second-folder.ts': "throw new BackupError('BACKUP_SECOND_DIR salah.');",
    },
    validSamples: {
      'client/a.ts': "// HOST is not known here\nconst LOOPBACK_HOST = 'localhost'; const text = 'Laporan HOSTEL';",
      'server/operations/backups/second-folder.test.ts': "const env = { BACKUP_SECOND_DIR: '/disk2' };",
      'server/commands/help.ts': "const text = 'PORT: porta server';",
    },
  },
  {
    title: 'the screen has one word for one thing (docs/glossary.md, Words on screen)',
    findViolations: ({ path, text }) => {
      // The table of calls has the texts of the API documentation, where the API's own words stand.
      const isScreen = isBelow(path, 'client', 'shared') && !isBelow(path, 'shared/api/calls') && !isTest(path);
      const word = isScreen ? REPLACED_SCREEN_WORDS.exec(withoutQuotedTexts(withoutComments(text))) : null;
      return word ? [`says ${word[0]}`] : [];
    },
    invalidSamples: {
      'client/a.tsx': '<Title>Data pajak</Title>',
      'client/b.ts': "const label = 'Belum lunas';",
      'client/c.ts': "const text = 'Hapus catatan pajak ini?';",
      'shared/d.ts': "const missing = 'Kata sandi wajib diisi';",
    },
    validSamples: {
      'client/a.tsx': "<Title>Data Pajak</Title>; const status = 'Belum Lunas'; const path = '?status=belum_lunas';",
      'client/b.ts': "const failed = 'Gagal memuat data pajak'; // kata sandi",
      'client/c.test.ts': "expect(text).not.toBe('Belum lunas');",
    },
  },
  {
    title: 'only page-keys.ts listens to the keys of the whole page',
    findViolations: ({ path, text }) => {
      if (!isBelow(path, 'client') || path === 'client/ui/keys/page-keys.ts' || isTest(path)) return [];
      const found = /(?:use(?:Window|Document)?Event(?:Listener)?|addEventListener)\(\s*'key\w+'|\buseHotkeys\b/.exec(
        text,
      );
      return found ? [`says ${found[0]}`] : [];
    },
    invalidSamples: {
      'client/a.tsx': "useWindowEvent('keydown', act);",
      'client/b.ts': "document.addEventListener('keyup', act);",
      'client/c.tsx': "import { useHotkeys } from '@mantine/hooks';",
    },
    validSamples: {
      'client/ui/keys/page-keys.ts': "window.addEventListener('keydown', act);",
      'client/a.tsx': "usePageKeys(act); window.addEventListener('online', act);",
    },
  },
  {
    title: 'overlays that are loaded late keep the keys until they are there',
    findViolations: ({ path, text }) => {
      if (!isBelow(path, 'client') || isTest(path)) return [];
      const code = withoutComments(text);
      const overlay = /\bimport\('[^']*-(?:dialog|drawer|lightbox|panel)\.tsx'\)/.exec(code);
      const isLoader = /\bexport const load\w+ = async/.test(code);
      return overlay && !isLoader && !code.includes('useLazyOverlay(') && !code.includes('useLazyOverlay<')
        ? [`loads without useLazyOverlay: ${overlay[0]}`]
        : [];
    },
    invalidSamples: {
      'client/a.tsx': "const A = lazy(async () => ({ default: (await import('./mark-paid-dialog.tsx')).A }));",
      'client/b.tsx': "useLazyComponent(async () => (await import('./menu-drawer.tsx')).B, 'b');",
      'client/c.ts': "const { ChatPanel } = await import('./chat-panel.tsx');",
    },
    validSamples: {
      'client/a.tsx': "const load = async () => (await import('./a-dialog.tsx')).A; useLazyOverlay(load, { wanted });",
      'client/b.tsx': "useLazyComponent(async () => (await import('./message-search.tsx')).B, 'b');",
    },
  },
];

/** A folder's direct child that holds the path: `client/lib` for `client/lib/api/api.ts` in the folder `client`. */
function childOf(folder: string, path: string): string | undefined {
  const prefix = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(prefix)) return undefined;
  const [name = ''] = path.slice(prefix.length).split('/');
  return prefix + name;
}

function foldersOf(paths: string[]): string[] {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders];
}

/** Imports between the direct children of one folder, each with one pair of files that causes it. */
function readSiblingImports(folder: string, files: SourceFile[]): Map<string, Map<string, string>> {
  const edges = new Map<string, Map<string, string>>();
  for (const file of files) {
    const from = childOf(folder, file.path);
    if (from === undefined) continue;
    for (const imported of importsOf(file)) {
      const to = childOf(folder, imported);
      if (to === undefined || to === from || !files.some(({ path }) => path === imported)) continue;
      const targets = edges.get(from) ?? new Map<string, string>();
      if (!targets.has(to)) targets.set(to, `${file.path} imports ${imported}`);
      edges.set(from, targets);
    }
  }
  return edges;
}

/** One import circle as a list of the imports that close it, or null. Depth-first search. */
function findCircle(edges: Map<string, Map<string, string>>): string[] | null {
  const finished = new Set<string>();
  const visit = (node: string, trail: { node: string; cause: string }[]): string[] | null => {
    const start = trail.findIndex((step) => step.node === node);
    if (start !== -1) return trail.slice(start).map(({ cause }) => cause);
    if (finished.has(node)) return null;
    for (const [next, cause] of edges.get(node) ?? []) {
      const circle = visit(next, [...trail, { node, cause }]);
      if (circle) return circle;
    }
    finished.add(node);
    return null;
  };
  for (const node of edges.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return null;
}

const treeRules: TreeRule[] = [
  {
    title: 'imports form no circle, neither between files nor between folders',
    findViolations: (files) => {
      const sources = files.filter(({ path }) => !isTest(path));
      return foldersOf(sources.map(({ path }) => path)).flatMap((folder) => {
        const circle = findCircle(readSiblingImports(folder, sources));
        return circle ? [`${folder === '' ? 'the root' : folder}: ${circle.join(' → ')}`] : [];
      });
    },
    invalidTrees: [
      { 'server/a.ts': "import { b } from './b.ts';", 'server/b.ts': "import type { a } from './a.ts';" },
      {
        'server/http/a.ts': "import { b } from '#server/db/b.ts';",
        'server/db/b.ts': '',
        'server/db/c.ts': "import { d } from '#server/http/d.ts';",
        'server/http/d.ts': '',
      },
      {
        'client/features/a/x.ts': "import { y } from '#client/features/b/display/y.ts';",
        'client/features/b/display/y.ts': '',
        'client/features/b/z.ts': "import { w } from '#client/features/c/display/w.ts';",
        'client/features/c/display/w.ts': "import { v } from '#client/features/a/display/v.ts';",
        'client/features/a/display/v.ts': '',
      },
    ],
    validTree: {
      'server/app.ts': "import { a } from './features/a/routes.ts';",
      'server/features/a/routes.ts': "import { b } from '#server/db/b.ts';",
      'server/db/b.ts': '',
      'server/db/b.test.ts': "import { buildApp } from '../app.ts';",
    },
  },
];

const tree = readTree();
const findAllViolations = (rule: Rule, files: SourceFile[]): string[] =>
  files.flatMap((file) => rule.findViolations(file).map((violation) => `${file.path} ${violation}`));
const toSourceFiles = (samples: Record<string, string>): SourceFile[] =>
  Object.entries(samples).map(([path, text]) => ({ path, text }));

describe.each(rules)('$title', (rule) => {
  it('holds in the whole tree', () => {
    expect(findAllViolations(rule, tree)).toEqual([]);
  });

  it('refuses the invalid samples and accepts the valid ones', () => {
    const unnoticed = toSourceFiles(rule.invalidSamples).filter((file) => findAllViolations(rule, [file]).length === 0);
    expect(unnoticed.map(({ path }) => path)).toEqual([]);
    expect(findAllViolations(rule, toSourceFiles(rule.validSamples))).toEqual([]);
  });
});

describe.each(treeRules)('$title', (rule) => {
  it('holds in the whole tree', () => {
    expect(rule.findViolations(tree)).toEqual([]);
  });

  it.each(rule.invalidTrees)('refuses invalid sample tree %#', (invalidTree) => {
    expect(rule.findViolations(toSourceFiles(invalidTree))).not.toEqual([]);
  });

  it('accepts the valid sample tree', () => {
    expect(rule.findViolations(toSourceFiles(rule.validTree))).toEqual([]);
  });
});

it('lists each requirement number once in docs/requirements.md', () => {
  expect(definedNumbers.length).toBeGreaterThan(100);
  expect(definedNumbers.filter((number, index) => definedNumbers.indexOf(number) !== index)).toEqual([]);
});

it.each(DOCUMENTS)('cites only listed requirements and uses no replaced word in %s', (path) => {
  const text = readFileSync(path, 'utf8');
  const unknown = [...text.matchAll(/\bR-[A-Z]+-\d+\b/g)].filter(([citation]) => !requirementNumbers.has(citation));
  expect(unknown.map(([citation]) => citation)).toEqual([]);
  // The glossary has to name the words that it replaces.
  if (path !== 'docs/glossary.md') {
    expect([...text.matchAll(REPLACED_WORDS)].map(([word]) => word)).toEqual([]);
  }
});

it('reads the whole tree', () => {
  const paths = tree.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['server/app.ts', 'client/main.tsx', 'shared/limits.ts', 'vitest.config.ts']),
  );
  expect(vitestIncludes.length).toBeGreaterThan(3);
});

it('lists in R-REC-1 of docs/requirements.md the fields of a record that the program describes', () => {
  const [, afterNumber = ''] = readFileSync('docs/requirements.md', 'utf8').split('- **R-REC-1**');
  const [table = ''] = afterNumber.split('- **R-REC-2**');
  const documented = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  // The server sets the owner. The list of fields describes only what users and admins fill in.
  expect(documented.toSorted()).toEqual([...TAX_RECORD_FIELDS, 'user_id', 'user'].toSorted());
});
