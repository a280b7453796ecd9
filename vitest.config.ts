import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { FileOrder } from './scripts/testing/file-order.ts';
import { ReportWriter } from './scripts/testing/report-writer.ts';

const reportFile = process.env['TEST_REPORT'];

/** Tests of what the server does with its database; all others test the file of SQLite, or nothing of a database. */
const ON_BOTH_ENGINES = [
  'server/{accounts,areas,audit,features,http,messages,office,realtime,records,uploads}/**/*.test.ts',
  'server/db/dialect.test.ts',
];

/** Tests of PostgreSQL alone. */
const ON_POSTGRES = [
  'server/commands/{pindah/pindah,doctor/check-postgres}.test.ts',
  'server/db/postgres/{abandoned-search,bus-line,connect,office-files,open-address,read-plans,same-answers,tables,write-probe}.test.ts',
  'server/features/push/{shared-keys,delivery/several-processes}.test.ts',
  'server/operations/acme/shared-certificates.test.ts',
  'server/realtime/several-processes.*test.ts',
  'scripts/testing/behind-nginx.test.ts',
];

/**
 * All that these test is what only SQLite has: plans of its queries, its statements one by one, its search index; or threads; or what
 * is answered before the database is asked, or the same in whatever database.
 */
const ON_SQLITE_ONLY = [
  'server/features/auth/recovery-work.test.ts',
  'server/features/cards/card-work.test.ts',
  'server/features/chat/query-plans.test.ts',
  'server/features/dhkp/reading/list-reader.test.ts',
  'server/features/tax-records/lists/list-queries.test.ts',
  'server/features/tax-records/lists/record-indexer.test.ts',
  'server/http/api-docs/api-docs.test.ts',
  'server/http/every-pair.test.ts',
  'server/http/every-refusal.test.ts',
];

export default defineConfig({
  test: {
    reporters: ['default', ...(reportFile === undefined ? [] : [new ReportWriter(reportFile)])],
    // Left to itself it would leave one core of two idle.
    maxWorkers: availableParallelism(),
    // Generous: a slow machine must not turn a right answer into a failure; what hangs still fails.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // A worker loads the packages and jsdom once, not once a file: a third of the time. The setup files reset our own
    // modules before each file, so no state of ours passes from one file to the next.
    isolate: false,
    // Node reads TypeScript with WebAssembly. Where two threads do so, V8 can free the same compiled call twice and end the
    // process ("Check failed: jit_page.has_value()"). With such a budget it compiles none of them.
    execArgv: ['--wasm-wrapper-tiering-budget=2147483647'],
    // The steps of a run transform a module once between them.
    fsModuleCache: true,
    // In any order, because no file may need another one. The check for leftovers comes after the other setup file.
    sequence: { shuffle: { files: true }, sequencer: FileOrder, setupFiles: 'list' },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['*.test.ts', 'shared/**/*.test.ts', 'server/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ON_POSTGRES,
          globalSetup: ['scripts/bundle-test-program.ts', 'scripts/testing/migrated-database.ts'],
          setupFiles: ['server/testing/setup.ts', 'scripts/testing/leftovers.ts'],
          // Before those of the client: a worker that changes between the two starts anew for each file.
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // The same tests on PostgreSQL, from the same files.
          name: 'postgres',
          environment: 'node',
          include: [...ON_BOTH_ENGINES, ...ON_POSTGRES],
          exclude: ON_SQLITE_ONLY,
          globalSetup: [
            'scripts/bundle-test-program.ts',
            'scripts/testing/migrated-database.ts',
            'scripts/testing/postgres-server.ts',
          ],
          setupFiles: ['server/testing/setup.ts', 'scripts/testing/leftovers.ts'],
        },
      },
      {
        extends: true,
        test: {
          // Tests that need dist/: those of the single binary and of `npm start`. scripts/run-tests.ts runs them in a step of their own.
          name: 'built',
          environment: 'node',
          include: ['scripts/**/*.built.ts'],
          globalSetup: ['scripts/package/host-binary.ts'],
        },
      },
      {
        extends: true,
        test: {
          // Firefox and WebKit against the built server, as far as they are installed. They run in a step of their own, too.
          name: 'browsers',
          environment: 'node',
          include: ['e2e/browsers/*.browsers.ts'],
        },
      },
      {
        extends: true,
        define: {
          PBB_VERSION: JSON.stringify(packageJson.version),
          // The number of runs of the random test in client/features/chat/state/update.test.ts.
          CHAT_RUNS: JSON.stringify(Number(process.env['CHAT_RUNS'] ?? 150)),
        },
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['client/**/*.test.{ts,tsx}'],
          setupFiles: ['client/testing/setup.ts', 'scripts/testing/leftovers.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
