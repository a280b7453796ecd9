import type { FastifyBaseLogger } from 'fastify';
import { dhkpTexts } from '#shared/texts.ts';
import { errorCode } from '#server/files/atomic.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import type { ListReader, TakeRows } from '../reading/list-reader.ts';
import type { ListRead, ReadChoices, ReadOutcome } from '../reading/list-reading.ts';
import { readDhkpSettings } from '../settings/settings-queries.ts';
import * as queries from './batch-queries.ts';
import { findingsOf, noCounts, type Preview, type PreviewEnd, type Previews } from './preview.ts';
import type { ReportProgress } from './progress.ts';

type ReadingDeps = {
  uploads: UploadFiles;
  reader: ListReader;
  previews: Previews;
  report: ReportProgress;
  log: FastifyBaseLogger;
};

/** Reads the files of batches one after the other, and stores their previews. */
export function createBatchReading(context: Pick<ServiceContext, 'orm' | 'write'>, deps: ReadingDeps) {
  const { orm, write } = context;
  const { uploads, reader, previews, report, log } = deps;
  const running = new Map<string, AbortController>();
  let isClosing = false;
  let last = Promise.resolve();

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
    return reader.read(source, choices, signal, takeRows);
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

  /** Stores a result that has no rows, unless the batch was discarded. */
  async function storeWithoutRows(id: string, columns: Partial<queries.BatchRecord>): Promise<void> {
    await write(async (tx) => {
      if ((await queries.findBatch(tx, id))?.state !== 'reading') return;
      const empty = { previewId: null, counts: noCounts(), computed: null, doneRows: 0, totalRows: 0 };
      await queries.updateBatch(tx, id, { ...empty, ...columns });
    });
  }

  /** Reads the file and stores what was found; rows are compared and stored while they arrive. */
  async function readOnce(batch: queries.BatchRecord, signal: AbortSignal): Promise<PreviewEnd> {
    const { id } = batch;
    const begin = (list: ListRead): Promise<Preview> => previews.begin(batch, list, () => !signal.aborted);
    let preview: Preview | null = null;
    let outcome: ReadOutcome;
    try {
      outcome = await readFile(batch, signal, async (rows, list) => {
        preview ??= await begin(list);
        await preview.add(rows);
      });
    } catch (error) {
      // TypeScript does not see that the callback above has set it.
      await (preview as Preview | null)?.abandon();
      if (signal.aborted) return 'stopped';
      log.warn({ err: error, batchId: id }, 'a list could not be read');
      outcome = { ok: false, message: dhkpTexts.unreadable };
    }
    if (!outcome.ok) await storeWithoutRows(id, { state: 'failed', message: outcome.message });
    else if (outcome.list.needsMapping) {
      await storeWithoutRows(id, { state: 'mapping', findings: findingsOf(outcome.list) });
    } else return ((preview as Preview | null) ?? (await begin(outcome.list))).end();
    return 'stored';
  }

  async function read(id: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const batch = await queries.findBatch(orm, id);
      if (batch?.state !== 'reading') return;
      // A reading that was broken off begins anew at the next start, unless the batch is discarded.
      if (signal.aborted) return;
      if ((await readOnce(batch, signal)) !== 'outdated') break;
    }
    const done = await queries.findBatch(orm, id);
    if (done) report(done);
  }

  return {
    start(id: string): void {
      if (isClosing) return;
      const controller = new AbortController();
      running.set(id, controller);
      last = last
        .then(() => (controller.signal.aborted ? undefined : read(id, controller.signal)))
        .catch((error: unknown) => log.error({ err: error, batchId: id }, 'the reading of a list failed'))
        .finally(() => {
          if (running.get(id) === controller) running.delete(id);
        });
    },

    /** The batch was discarded. */
    stop: (id: string): void => running.get(id)?.abort(),

    async close(): Promise<void> {
      isClosing = true;
      for (const controller of running.values()) controller.abort();
      await last;
    },
  };
}
export type BatchReading = ReturnType<typeof createBatchReading>;
