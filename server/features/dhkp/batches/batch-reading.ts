import type { FastifyBaseLogger } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { dhkpTexts } from '#shared/texts.ts';
import { errorCode } from '#server/files/atomic.ts';
import { createKeyedQueue } from '#server/http/limits/rate-limit.ts';
import { createSharedWork } from '#server/process/shared-work.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import type { ListReader, TakeRows } from '../reading/list-reader.ts';
import type { ListRead, ReadChoices, ReadOutcome } from '../reading/list-reading.ts';
import { readDhkpSettings } from '../settings/settings-queries.ts';
import * as queries from './batch-queries.ts';
import { type BatchToRead, findingsOf, noCounts, type Preview, type PreviewEnd, type Previews } from './preview.ts';
import type { ReportProgress } from './progress.ts';

/** After an error that is not the file's, such as a full disk, a list is read again by itself. */
const RETRY_MS = 5000;

type Reading = { id: string; controller: AbortController; ended: Promise<void> };
type ReadingDeps = {
  uploads: UploadFiles;
  reader: ListReader;
  previews: Previews;
  report: ReportProgress;
  log: FastifyBaseLogger;
};

/**
 * Reads the files of batches one after the other, and stores their previews. A batch names the rows of its last reading from
 * before the first one, so a process that was taken for dead stores none beside those of the next reading (R-DHKP-3).
 */
export function createBatchReading(
  context: Pick<ServiceContext, 'orm' | 'write' | 'processes'>,
  deps: ReadingDeps,
  retryMs = RETRY_MS,
) {
  const { orm, write, processes } = context;
  const { uploads, reader, previews, report, log } = deps;
  const works = createSharedWork(processes, 'reading of a list');
  const running = new Set<Reading>();
  const queue = createKeyedQueue();
  let isClosing = false;

  /** @throws an error that is not the file's, or the signal's reason */
  async function readFile(batch: queries.BatchRecord, signal: AbortSignal, takeRows: TakeRows): Promise<ReadOutcome> {
    if (batch.file === null) return { ok: false, message: dhkpTexts.fileGone };
    let bytes: Buffer;
    try {
      bytes = await uploads.readStored(batch.file);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      return { ok: false, message: dhkpTexts.fileGone };
    }
    const source = batch.isPasted ? { text: bytes.toString('utf8') } : { bytes };
    const choices = await choicesOf(batch);
    signal.throwIfAborted();
    let isStored = true;
    const takeAll: TakeRows = async (rows, list) => {
      isStored = false;
      await takeRows(rows, list);
      isStored = true;
    };
    try {
      return await reader.read(source, choices, signal, takeAll);
    } catch (error) {
      if (!isStored || signal.aborted) throw error;
      log.warn({ err: error, batchId: batch.id }, 'a list could not be read');
      return { ok: false, message: dhkpTexts.unreadable };
    }
  }

  async function choicesOf({ year, choices }: queries.BatchRecord): Promise<ReadChoices> {
    const { sheets, headerRow, columns, multiplier, useChanged, includeOtherVillage } = choices;
    const prefix = choices.prefix === undefined ? (await readDhkpSettings(orm)).prefix : choices.prefix;
    const layouts = await queries.listLayouts(orm);
    return {
      year,
      ...(sheets ? { sheets } : {}),
      ...(headerRow === undefined ? {} : { headerRow }),
      ...(columns ? { columns } : {}),
      // Without one the reading proposes the prefix of most rows.
      ...(prefix === null ? {} : { prefix }),
      ...(multiplier === undefined ? {} : { multiplier }),
      ...(useChanged === undefined ? {} : { useChanged }),
      ...(includeOtherVillage === undefined ? {} : { includeOtherVillage }),
      rememberedLayouts: layouts.map(({ headers, headerRow: row, columns: remembered }) => ({
        headers: JSON.parse(headers) as string[],
        headerRow: row,
        columns: remembered,
      })),
    };
  }

  /**
   * Removes the rows of an earlier reading that did not end, and names those of a new one in the batch. In this order, so that no
   * rows stay without a name when an error comes between.
   * @returns null when the batch is not read any more
   */
  async function nameReading(id: string, mayContinue: () => boolean): Promise<BatchToRead | null> {
    while (mayContinue()) {
      const before = (await queries.findBatch(orm, id))?.previewId ?? null;
      // A process that was taken for dead may end its reading meanwhile.
      if (before !== null) await previews.discard(before, mayContinue, (tx) => queries.isReadInto(tx, id, before));
      const named = await write(async (tx): Promise<BatchToRead | 'not read' | 'named by another'> => {
        const batch = await queries.findBatch(tx, id);
        if (batch?.state !== 'reading') return 'not read';
        if (batch.previewId !== before) return 'named by another';
        const previewId = newId();
        await queries.updateBatch(tx, id, { previewId });
        return { ...batch, previewId };
      });
      if (named === 'not read') return null;
      // The rows of that reading are removed before its name is taken away.
      if (named !== 'named by another') return named;
    }
    return null;
  }

  /** Stores a result that has no rows, unless the batch was discarded, or another process reads it. */
  async function storeWithoutRows(
    { id, previewId }: BatchToRead,
    columns: Partial<queries.BatchRecord>,
  ): Promise<PreviewEnd> {
    // A reading may fail after some rows.
    await previews.discard(previewId);
    return write(async (tx) => {
      if (!(await queries.isReadInto(tx, id, previewId))) return 'stopped';
      const empty = { previewId: null, counts: noCounts(), computed: null, doneRows: 0, totalRows: 0 };
      await queries.updateBatch(tx, id, { ...empty, ...columns });
      return 'stored';
    });
  }

  /** Reads the file and stores what was found; rows are compared and stored while they arrive. */
  async function readOnce(batch: BatchToRead, signal: AbortSignal): Promise<PreviewEnd> {
    let preview: Preview | null = null;
    const begin = async (list: ListRead): Promise<Preview> =>
      (preview ??= await previews.begin(batch, list, () => !signal.aborted));
    const outcome = await readFile(batch, signal, async (rows, list) => (await begin(list)).add(rows));
    if (!outcome.ok) return storeWithoutRows(batch, { state: 'failed', message: outcome.message });
    const { list } = outcome;
    if (list.needsMapping) return storeWithoutRows(batch, { state: 'mapping', findings: findingsOf(list) });
    return (await begin(list)).end();
  }

  async function read(id: string, signal: AbortSignal): Promise<void> {
    // A reading that was broken off begins anew at the next start, unless the batch is discarded.
    for (let end: PreviewEnd = 'outdated'; end === 'outdated' && !signal.aborted;) {
      const batch = await nameReading(id, () => !signal.aborted);
      end = batch ? await readOnce(batch, signal) : 'stopped';
    }
    const done = await queries.findBatch(orm, id);
    if (done) report(done);
  }

  /** Goes on until the batch is read, it is discarded, or the server closes. One that waits for its next try holds up no other. */
  async function run(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await queue('', () => read(id, signal));
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error, batchId: id }, 'the reading of a list stopped and is tried again');
        await sleep(retryMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }

  return {
    start(id: string): void {
      if (isClosing) return;
      const controller = new AbortController();
      works.begin(id);
      const ended = run(id, controller.signal).finally(() => {
        works.end(id);
        running.delete(reading);
      });
      const reading: Reading = { id, controller, ended };
      running.add(reading);
    },

    /** Whether this or another process that is alive reads it, or will do so. */
    isGoingOn: works.isGoingOn,

    /** The batch was discarded. */
    stop(id: string): void {
      for (const reading of running) if (reading.id === id) reading.controller.abort();
    },

    async close(): Promise<void> {
      isClosing = true;
      for (const { controller } of running) controller.abort();
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}
export type BatchReading = ReturnType<typeof createBatchReading>;
