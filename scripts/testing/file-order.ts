import { hash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that last 10 seconds or more on two cores. */
const LONG_FILES = new Set([
  'client/features/chat/inbox/composer/admin-composer.test.tsx',
  'server/commands/accept/accept.test.ts',
  'server/commands/backup/running-copy-equality.test.ts',
  'server/commands/backup/running-copy-faults.test.ts',
  'server/commands/pindah/pindah.test.ts',
  'server/db/postgres/same-answers.test.ts',
  'server/db/query-worker.test.ts',
  'server/features/chat/property.test.ts',
  'server/features/chat/state/state-property.test.ts',
  'server/features/dhkp/reading/list-reader.test.ts',
  'server/features/tax-records/statistics/checked-sums.test.ts',
  'server/http/every-route.test.ts',
  'server/http/every-refusal.test.ts',
  'server/main.test.ts',
  'server/operations/backups/crash.test.ts',
  'server/operations/backups/shared-files.test.ts',
  'server/realtime/several-processes.property.test.ts',
]);

/** A random order, the same for the same seed. Long files begin in the first half: no worker waits at the end for one of them. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    // Vitest prints it only for an order of its own.
    this.ctx.logger.log(`Running tests with seed ${sequence.seed}`);
    const placeOf = ({ project, moduleId }: TestSpecification): number => {
      const file = relative(root, moduleId).replaceAll('\\', '/');
      const place = Number.parseInt(hash('sha1', `${sequence.seed} ${project.name} ${file}`).slice(0, 12), 16);
      return LONG_FILES.has(file) ? place / 2 : place;
    };
    return files
      .map((file) => ({ file, place: placeOf(file) }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ file }) => file);
  }
}
