import { type FirstSteps, type FirstStepState, firstStepTexts } from '#shared/api/first-steps.ts';
import { FIRST_STEPS, type FirstStep } from '#shared/domain/office/first-steps.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { invalid, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import * as queries from './queries.ts';

type Context = Pick<ServiceContext, 'orm' | 'policy' | 'write' | 'now'>;

/** Each admin has a password of their own; everything else is done once for the office. */
const ownerOf = (step: FirstStep, adminId: string): string => (step === 'password' ? adminId : queries.OFFICE);

/**
 * The first steps of a new office (R-OFFICE-12). The data itself shows that most steps are done.
 * @param hasSecondFolder whether there is a second folder for backups, and its disk is there now; null: the office
 * has nothing to do for its backups, because the operator of PostgreSQL makes them
 */
export function createFirstStepService(
  { orm, policy, write, now }: Context,
  hasSecondFolder: (() => Promise<boolean>) | null,
) {
  const wanted = FIRST_STEPS.filter((step) => step !== 'second_backup' || hasSecondFolder !== null);

  async function list(
    connection: ConnectionOrTransaction,
    adminId: string,
    isFolderThere: boolean,
  ): Promise<FirstSteps> {
    const done = await queries.findDoneSteps(connection, adminId);
    const stored = new Map(
      (await queries.listStoredSteps(connection, adminId)).map(({ step, state }) => [step, state]),
    );
    return wanted.map((step) => {
      const isDone = done.has(step) || (step === 'second_backup' && isFolderThere);
      return { step, state: isDone ? 'done' : (stored.get(step) ?? 'open') };
    });
  }

  return {
    async list(currentUser: CurrentUser): Promise<FirstSteps> {
      const isFolderThere = (await hasSecondFolder?.()) ?? false;
      return list(orm, currentUser.id, isFolderThere);
    },

    /** @throws 401, 403, 404 for an unknown step, 422 for `done` where the data decides that */
    async change(currentUser: CurrentUser, name: string, state: FirstStepState): Promise<FirstSteps> {
      const step = wanted.find((known) => known === name);
      if (!step) throw notFound(firstStepTexts.missing);
      if (state === 'done' && step !== 'qr_sheet') throw invalid('state', firstStepTexts.stateInvalid);
      const isFolderThere = (await hasSecondFolder?.()) ?? false;
      return write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const adminId = ownerOf(step, currentUser.id);
        if (state === 'open') await queries.removeStep(tx, step, adminId);
        else await queries.saveStep(tx, { step, adminId, state, createdAt: now() });
        return list(tx, currentUser.id, isFolderThere);
      });
    },
  };
}
