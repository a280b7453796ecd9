import type { FastifyBaseLogger } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplyBatchBody, RevertBatchBody } from '#shared/api/dhkp/batches.ts';
import { formatRupiah } from '#shared/domain/money/rupiah.ts';
import { CONTROL_REASON_MIN, USED_ROWS_SHOWN } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { changeInSteps } from '#server/db/row-steps.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { AppError, conflict, notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { LinkedRecords, PublishedRecord } from '#server/records/linked-records.ts';
import { createSharedWork } from '#server/process/shared-work.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import { applyNextRows } from './apply-steps.ts';
import * as queries from './batch-queries.ts';
import { checkControl, type ControlCheck } from './control.ts';
import type { Previews } from './preview.ts';
import type { DhkpEvents } from './progress.ts';
import { revertNextRows } from './revert-steps.ts';

/** After an error, such as a full disk, the steps go on by themselves. */
const RETRY_MS = 5000;
/** A revert answers when it is done, or after this time; a client waits longer. */
const REVERT_ANSWER_MS = 5000;
/** In `doneRows` of a batch that is being reverted: nothing is put back yet, and perhaps nothing may be. */
const CHECKING = -1;

/** Another call was first. */
const BEGUN_STATES: readonly queries.BatchRecord['state'][] = ['applying', 'applied', 'reverting', 'reverted'];

type ApplyingDeps = {
  uploads: UploadFiles;
  previews: Previews;
  events: DhkpEvents;
  linkedRecords: LinkedRecords;
  log: FastifyBaseLogger;
};

/**
 * Applies batches to the list and takes them back (R-DHKP-9, R-DHKP-10). A transaction of all rows would hold the event loop, so
 * both go in steps, and what began is finished: after a crash before the server listens. Readers see the list step by step.
 */
export function createApplying(context: ServiceContext, deps: ApplyingDeps) {
  const { orm, write, policy, audit, processes, queryWorker, now } = context;
  const { uploads, previews, events, linkedRecords, log } = deps;
  const works = createSharedWork(processes, 'import');
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const mayContinue = (): boolean => !closing.signal.aborted;

  async function requireBatch(tx: Transaction, id: string): Promise<queries.BatchRecord> {
    const batch = await queries.findBatch(tx, id);
    if (!batch) throw notFound(dhkpTexts.batchMissing);
    return batch;
  }

  async function report(id: string): Promise<queries.BatchRecord | undefined> {
    const batch = await queries.findBatch(orm, id);
    if (batch) events.report(batch);
    return batch;
  }

  /** Does all steps that are left. @param rests whether requests get time between them */
  async function finish(id: string, rests: boolean): Promise<void> {
    const batch = await queries.findBatch(orm, id);
    if (!batch || !isHalfDone(batch)) return;
    const { year } = batch;
    const step = batch.state === 'applying' ? applyNextRows : revertNextRows;
    let records: readonly PublishedRecord[] = [];
    const changedRecords = (changed: readonly PublishedRecord[]): void => {
      records = changed;
    };
    const onStep = (): void => {
      linkedRecords.publish(records);
      records = [];
      void report(id).catch(() => undefined);
    };
    const isDone = await changeInSteps(
      write,
      (tx, limit) => step(tx, { batchId: id, limit, nowMs: now(), linkedRecords, changedRecords }),
      { mayContinue, rests, onStep },
    );
    if (!isDone) return;
    await write(async (tx) => {
      // Another process may have finished it, and the batch may be in the next act.
      if ((await queries.findBatch(tx, id))?.state === batch.state)
        await queries.updateBatch(tx, id, endOf(batch, now()));
    });
    await report(id);
    events.listChanged(year);
    await removeOutdated(year);
  }

  /** Goes on until the work is done, or the server closes. An apply may still be tidying up when its revert begins. */
  function start(id: string): Promise<void> {
    const before = running.get(id) ?? Promise.resolve();
    works.begin(id);
    const work = before
      .then(() => run(id))
      .finally(() => {
        works.end(id);
        if (running.get(id) === work) running.delete(id);
      });
    running.set(id, work);
    return work;
  }

  async function run(id: string): Promise<void> {
    while (mayContinue()) {
      try {
        return await finish(id, true);
      } catch (error) {
        log.error({ err: error, batchId: id }, 'an import stopped and is tried again');
        await sleep(RETRY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  /** Only the newest imports of a year keep their file and their rows. */
  async function removeOutdated(year: number): Promise<void> {
    const outdated = await write(async (tx) => {
      const found = await queries.listOutdated(tx, year);
      for (const { id } of found) await queries.updateBatch(tx, id, { file: null, previewId: null });
      return found;
    });
    await uploads.discardAll(outdated.flatMap(({ file }) => file ?? []));
    for (const { previewId } of outdated) if (previewId !== null) await previews.discard(previewId);
  }

  /** @throws 409 for another preview, a list that changed, a control total that differs, or a call that won before */
  async function beginApply(currentUser: CurrentUser, id: string, body: ApplyBatchBody): Promise<void> {
    await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const batch = await requireBatch(tx, id);
      const { state, year } = batch;
      if (BEGUN_STATES.includes(state)) throw conflict(dhkpTexts.alreadyApplying);
      const version = await queries.readListVersion(tx, year);
      if (state !== 'ready' || batch.previewId !== body.preview_id || batch.listVersion !== version) {
        throw conflict(dhkpTexts.listChanged);
      }
      const reason = body.control_reason ?? '';
      const control = controlOf(batch);
      if (control.isEqual === false && reason.length < CONTROL_REASON_MIN) {
        throw conflict(dhkpTexts.controlDiffers(senSumToRupiah(control.differenceSen)));
      }
      const controlReason = control.isEqual === false ? reason : null;
      const applying = {
        ...batch,
        state: 'applying' as const,
        doneRows: 0,
        controlReason,
        actorId: currentUser.id,
        actorName: currentUser.name,
        listVersion: await queries.raiseListVersion(tx, year),
      };
      await queries.updateBatch(tx, id, applying);
      await rememberLayout(tx, batch);
      await audit.listImported(tx, currentUser, 'dhkp.applied', batch, auditedFacts(applying, controlReason));
    });
  }

  async function readBegun(id: string): Promise<queries.BatchRecord | undefined> {
    await report(id);
    return queries.findBatch(orm, id);
  }

  async function rememberLayout(tx: Transaction, { findings, choices }: queries.BatchRecord): Promise<void> {
    const isChosen = choices.columns !== undefined || choices.headerRow !== undefined;
    if (!findings || findings.headerRow === null || !isChosen) return;
    const { headers, headerRow, columns } = findings;
    await queries.saveLayout(tx, { headers: JSON.stringify(headers), headerRow, columns, updatedAt: now() });
  }

  /** While a call begins, no other process takes the batch for one that was left. */
  async function shared<T>(id: string, begin: () => Promise<T>): Promise<T> {
    works.begin(id);
    try {
      return await begin();
    } finally {
      works.end(id);
    }
  }

  /** From here on no call changes rows of the year. @throws 409 when it is not the newest import of its year */
  async function beginRevert(currentUser: CurrentUser, id: string): Promise<void> {
    await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const { state, year } = await requireBatch(tx, id);
      if (state === 'applying' || state === 'reverting') throw conflict(dhkpTexts.alreadyApplying);
      const newest = await queries.findNewestApplied(tx, year);
      if (state !== 'applied' || newest?.id !== id) throw conflict(dhkpTexts.onlyNewest);
      await queries.updateBatch(tx, id, { state: 'reverting', doneRows: CHECKING });
    });
  }

  async function endCheck(id: string): Promise<void> {
    await write(async (tx) => {
      const batch = await queries.findBatch(tx, id);
      if (!batch || !isBeingChecked(batch)) return;
      await queries.updateBatch(tx, id, { state: 'applied', doneRows: batch.totalRows });
    });
  }

  /** @throws 409 with the rows that were used since */
  async function requireUnused(id: string, caller: ListCaller): Promise<void> {
    const args = { batchId: id, limit: USED_ROWS_SHOWN };
    const { count, rows } = await queryWorker.run('dhkpUsedRows', args, { ...caller, isSlow: true });
    if (count > 0) throw new AppError(409, dhkpTexts.rowsUsed(count), { data: rows });
  }

  return {
    /** @throws 401, 403, 404, 409 */
    apply: (currentUser: CurrentUser, id: string, body: ApplyBatchBody): Promise<queries.BatchRecord> =>
      shared(id, async () => {
        await beginApply(currentUser, id, body);
        // It goes on also when the answer fails.
        const batch = await readBegun(id).finally(() => void start(id));
        if (!batch) throw notFound(dhkpTexts.batchMissing);
        return batch;
      }),

    /**
     * Puts the rows of the newest import of a year back. The answer waits for the end, unless it takes long.
     * @throws 401, 403, 404, 409
     */
    async revert(
      currentUser: CurrentUser,
      id: string,
      { reason }: RevertBatchBody,
      caller: ListCaller,
    ): Promise<queries.BatchRecord> {
      const work = await shared(id, async () => {
        await beginRevert(currentUser, id);
        try {
          await requireUnused(id, caller);
          await write(async (tx) => {
            await policy.requireLiveAdmin(tx, currentUser);
            const batch = await requireBatch(tx, id);
            // Another process may have taken this one for dead, and ended its check.
            if (!isBeingChecked(batch)) throw conflict(dhkpTexts.revertStopped);
            await queries.raiseListVersion(tx, batch.year);
            const by = { actorId: currentUser.id, actorName: currentUser.name };
            await queries.updateBatch(tx, id, { doneRows: 0, revertReason: reason, ...by });
            await audit.listImported(tx, currentUser, 'dhkp.reverted', batch, auditedFacts(batch, reason));
          });
        } catch (error) {
          await endCheck(id);
          throw error;
        }
        return { ended: start(id) };
      });
      await Promise.race([work.ended, sleep(REVERT_ANSWER_MS, undefined, { ref: false })]);
      const batch = await queries.findBatch(orm, id);
      if (!batch) throw notFound(dhkpTexts.batchMissing);
      return batch;
    },

    /** Finishes what a crash interrupted; called before the server listens, where no other process can work on it. */
    async resume(): Promise<void> {
      for (const { id } of await queries.listIdsInState(orm, 'applying', 'reverting')) {
        await endCheck(id);
        await finish(id, false);
      }
    },

    /** Goes on with what a process has left that has ended; called by the leader. */
    async takeOver(): Promise<void> {
      for (const { id } of await queries.listIdsInState(orm, 'applying', 'reverting')) {
        if (works.isGoingOn(id)) continue;
        await endCheck(id);
        void start(id);
      }
    },

    /** The current step is finished; the next start does the others. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all(running.values());
    },
  };
}
export type Applying = ReturnType<typeof createApplying>;

export function controlOf({ findings, choices, computed }: queries.BatchRecord): ControlCheck {
  if (!findings || !computed) return { isEqual: null, differenceSen: 0n };
  return checkControl(findings.totals, choices.control ?? null, computed);
}

const isHalfDone = ({ state }: queries.BatchRecord): boolean => state === 'applying' || state === 'reverting';

const isBeingChecked = ({ state, doneRows }: queries.BatchRecord): boolean =>
  state === 'reverting' && doneRows === CHECKING;

const endOf = ({ state }: queries.BatchRecord, at: number): Partial<queries.BatchRecord> =>
  state === 'applying' ? { state: 'applied', appliedAt: at } : { state: 'reverted', revertedAt: at };

function auditedFacts(batch: queries.BatchRecord, reason: string | null) {
  const { findings, computed, counts, choices } = batch;
  const rupiah = (sen: bigint): string => formatRupiah(senSumToRupiah(sen));
  const ofFile = (findings?.totals ?? []).flatMap(({ amountSen }) => (amountSen === null ? [] : [BigInt(amountSen)]));
  const typed = choices.control?.amountSen ?? null;
  return {
    file_name: batch.fileName,
    sha256: batch.sha256,
    rows_new: counts?.new ?? 0,
    rows_changed: counts?.changed ?? 0,
    rows_same: counts?.same ?? 0,
    rows_gone: counts?.gone ?? 0,
    rows_problem: counts?.problem ?? 0,
    control_file: ofFile.length === 0 ? null : rupiah(ofFile.reduce((sum, sen) => sum + sen, 0n)),
    control_typed: typed === null ? null : rupiah(BigInt(typed)),
    control_computed: computed ? rupiah(BigInt(computed.sen)) : null,
    reason,
  };
}
