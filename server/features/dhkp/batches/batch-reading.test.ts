import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Write } from '#server/db/engine.ts';
import { buildListApp, listText, objectsFrom } from '#server/testing/dhkp.ts';
import { createUploadFiles, type UploadFiles } from '#server/uploads/upload-files.ts';
import { createInlineListReader, type ListReader } from '../reading/list-reader.ts';
import { createBatchReading } from './batch-reading.ts';
import { createBatchService } from './batch-service.ts';
import { createPreviews } from './preview.ts';

const OBJECTS = 60;
const PART = 25;
const RETRY_MS = 1;
const NEVER_MS = 60_000;

/** @param begin called when it begins to read */
const createHanging = (begin: () => void = () => undefined): ListReader => ({
  read: (_source, _choices, signal) =>
    new Promise((_resolve, reject) => {
      begin();
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    }),
});

/** Gives the rows in two parts. @param between called between them */
function readerInParts(between: () => Promise<void>): ListReader {
  const { read } = createInlineListReader();
  return {
    read: (source, choices, signal, takeRows) =>
      read(source, choices, signal, async (rows, list) => {
        await takeRows?.(rows.slice(0, PART), list);
        await between();
        await takeRows?.(rows.slice(PART), list);
      }),
  };
}

type FailingWrites = { ofSteps: boolean; first: number; isMade: boolean };

/** Three writes in a row end with an error of the database. `isMade`: their changes are made nevertheless. */
function failing(write: Write, { ofSteps, first, isMade }: FailingWrites): Write {
  let calls = 0;
  return async (change, options) => {
    const isMeant = (options?.isDurable === false) === ofSteps;
    if (isMeant) calls += 1;
    if (!isMeant || calls < first || calls >= first + 3) return write(change, options);
    if (isMade) await write(change, options);
    throw new Error('database or disk is full');
  };
}

type Parts = { reader?: ListReader; write?: Write; uploads?: UploadFiles; retryMs?: number };

/** The app, whose own readings never end, with readings beside them as another process has. */
async function buildReadings() {
  const begun = Promise.withResolvers<void>();
  const app = await buildListApp({ listReader: createHanging(begun.resolve) });
  const { test, paste } = app;
  const { context, proofsDir } = test;

  function createReading(parts: Parts = {}) {
    const { reader = createInlineListReader(), write = context.write, retryMs = RETRY_MS } = parts;
    const { uploads = createUploadFiles(proofsDir) } = parts;
    const own = { ...context, write };
    const previews = createPreviews(own);
    const report = (): void => undefined;
    const reading = createBatchReading(own, { uploads, reader, previews, report, log: test.server.log }, retryMs);
    onTestFinished(() => reading.close());
    return reading;
  }

  return {
    ...app,
    createReading,
    previews: createPreviews(context),
    pasteList: async (): Promise<string> => {
      const { id } = await paste(listText(objectsFrom(OBJECTS)));
      // The app reads one list at a time, so it begins with the first one alone.
      await begun.promise;
      return id;
    },
    countRows: (): unknown => test.database.sqlite.prepare('select count(*) from dhkp_batch_rows').pluck().get(),
  };
}

describe('the reading of a batch', () => {
  it.each([
    ['the beginning', { ofSteps: false, first: 1 }],
    ['the first rows', { ofSteps: true, first: 1 }],
    ['the next rows', { ofSteps: true, first: 2 }],
    ['later rows', { ofSteps: true, first: 3 }],
    ['the end', { ofSteps: false, first: 2 }],
  ])('goes on after errors of the database at %s, made or not', async (_at, writes) => {
    for (const isMade of [true, false]) await readWithErrors({ ...writes, isMade });
  });

  async function readWithErrors(writes: FailingWrites): Promise<void> {
    const { test, createReading, pasteList, inState, countRows, previews } = await buildReadings();
    const id = await pasteList();
    test.expectErrorLog(/database or disk is full/);
    const reading = createReading({ write: failing(test.context.write, writes) });
    reading.start(id);
    expect(await inState(id, 'ready')).toMatchObject({ message: null, counts: { new: OBJECTS } });
    await expect.poll(() => reading.isGoingOn(id)).toBe(false);
    expect(countRows()).toBe(OBJECTS);
    expect(await previews.listLeft()).toEqual([]);
  }

  it('holds up no other batch while it waits for its next try', async () => {
    const { test, createReading, pasteList, inState, batch } = await buildReadings();
    const [first, second] = [await pasteList(), await pasteList()];
    test.expectErrorLog(/EIO/);
    const files = createUploadFiles(test.proofsDir);
    const readStored = vi.fn(files.readStored).mockRejectedValueOnce(new Error('EIO'));
    const reading = createReading({ uploads: { ...files, readStored }, retryMs: NEVER_MS });
    for (const id of [first, second]) reading.start(id);
    await inState(second, 'ready');
    expect(await batch(first)).toMatchObject({ state: 'reading' });
    reading.stop(first);
    await expect.poll(() => reading.isGoingOn(first)).toBe(false);
  });

  it('shows no row before the last one is stored', async () => {
    const { createReading, pasteList, inState, batch, rows } = await buildReadings();
    const id = await pasteList();
    const between = vi.fn(async () => {
      expect(await batch(id)).toMatchObject({ state: 'reading', preview_id: null });
      expect(await rows(await batch(id))).toEqual([]);
    });
    createReading({ reader: readerInParts(between) }).start(id);
    expect(await rows(await inState(id, 'ready'))).toHaveLength(OBJECTS);
    expect(between).toHaveBeenCalledOnce();
  });

  it('keeps its rows while another process removes what was left', async () => {
    const { createReading, pasteList, inState, countRows, previews } = await buildReadings();
    const id = await pasteList();
    const reader = readerInParts(async () => {
      expect(countRows()).toBe(PART);
      for (const left of await previews.listLeft()) await previews.discard(left);
    });
    createReading({ reader }).start(id);
    await inState(id, 'ready');
    expect(countRows()).toBe(OBJECTS);
  });

  it('begins anew when rows are gone that it had stored', async () => {
    const { test, createReading, pasteList, inState, countRows } = await buildReadings();
    const id = await pasteList();
    const lose = vi.fn(() => void test.database.sqlite.prepare('delete from dhkp_batch_rows where position = 7').run());
    const between = vi.fn(async () => (between.mock.calls.length === 1 ? lose() : undefined));
    createReading({ reader: readerInParts(between) }).start(id);
    expect(await inState(id, 'ready')).toMatchObject({ counts: { new: OBJECTS } });
    expect(countRows()).toBe(OBJECTS);
    expect(between).toHaveBeenCalledTimes(2);
  });

  it('stores nothing more once another process has begun to read the batch', async () => {
    const { createReading, pasteList, inState, batch, countRows, previews } = await buildReadings();
    const id = await pasteList();
    const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const second = createReading({
      reader: readerInParts(async () => {
        begun.resolve();
        await goesOn.promise;
      }),
    });
    const first = createReading({
      reader: readerInParts(async () => {
        second.start(id);
        await begun.promise;
      }),
    });
    first.start(id);
    await expect.poll(() => first.isGoingOn(id)).toBe(false);
    expect(await batch(id)).toMatchObject({ state: 'reading' });
    expect(countRows()).toBe(PART);
    goesOn.resolve();
    expect(await inState(id, 'ready')).toMatchObject({ counts: { new: OBJECTS } });
    expect(countRows()).toBe(OBJECTS);
    expect(await previews.listLeft()).toEqual([]);
  });

  it('leaves the rows alone of another process that ends in the moment of its beginning', async () => {
    const { test, createReading, pasteList, inState, countRows } = await buildReadings();
    const id = await pasteList();
    const [asked, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const second = createReading({
      async write(change, options) {
        asked.resolve();
        await inState(id, 'ready');
        return test.context.write(change, options);
      },
    });
    const first = createReading({
      reader: readerInParts(async () => {
        second.start(id);
        await goesOn.promise;
      }),
    });
    first.start(id);
    await asked.promise;
    goesOn.resolve();
    await expect.poll(() => second.isGoingOn(id)).toBe(false);
    expect(countRows()).toBe(OBJECTS);
  });

  it('takes no name away that another process has given in the moment of its beginning', async () => {
    const { test, createReading, pasteList, inState, countRows, previews } = await buildReadings();
    const id = await pasteList();
    const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = createReading({
      reader: readerInParts(async () => {
        begun.resolve();
        await goesOn.promise;
      }),
    });
    let isFirstWrite = true;
    const second = createReading({
      async write(change, options) {
        if (isFirstWrite) {
          isFirstWrite = false;
          first.start(id);
          await begun.promise;
        }
        return test.context.write(change, options);
      },
    });
    second.start(id);
    await begun.promise;
    expect(await inState(id, 'ready')).toMatchObject({ counts: { new: OBJECTS } });
    goesOn.resolve();
    await expect.poll(() => first.isGoingOn(id)).toBe(false);
    expect(countRows()).toBe(OBJECTS);
    expect(await previews.listLeft()).toEqual([]);
  });

  it('goes on once when a start finds it', async () => {
    const { test, createReading, pasteList, previews } = await buildReadings();
    const id = await pasteList();
    const reading = createReading({ reader: createHanging() });
    const start = vi.fn((batchId: string) => reading.start(batchId));
    const events = { report: () => undefined, listChanged: () => undefined, close: () => undefined };
    const uploads = createUploadFiles(test.proofsDir);
    const batches = createBatchService(test.context, { uploads, previews, reading: { ...reading, start }, events });
    await batches.resumeReading();
    await batches.resumeReading();
    expect(start.mock.calls).toEqual([[id]]);
  });
});
