import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import {
  type BatchChoicesBody,
  type BatchRowsQuery,
  type CreateBatchBody,
  LIST_FILE_FIELD,
} from '#shared/api/dhkp/batches.ts';
import { todayIn, yearOf } from '#shared/domain/dates/dates.ts';
import { rupiahToSen } from '#shared/domain/money/rupiah.ts';
import { BATCH_ROWS_DEFAULT, BATCHES_DEFAULT, LIST_YEAR_MIN, OPEN_BATCHES_MAX } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import type { StoredChoices } from '#server/db/dhkp-columns.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import { AppError, conflict, invalid, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { LIST_EXTENSION } from '#server/uploads/upload-names.ts';
import type { StoredUpload, UploadFiles } from '#server/uploads/upload-files.ts';
import { listTypeOf } from '../reading/list-type.ts';
import type { BatchRowRow } from './apply-queries.ts';
import * as queries from './batch-queries.ts';
import type { BatchReading } from './batch-reading.ts';
import { cleanListName } from './file-names.ts';
import { completePreviewOf, type Previews } from './preview.ts';
import type { DhkpEvents } from './progress.ts';

const PASTED_NAME = 'tempelan.tsv';
/** A part of this size is hashed in about a millisecond. */
const HASH_PART_BYTES = 262_144;
/** Only these states can still be changed. */
const CHANGEABLE_STATES: readonly queries.BatchRecord['state'][] = ['mapping', 'ready'];
const BEGUN_STATES: readonly queries.BatchRecord['state'][] = ['applying', 'applied', 'reverting'];

type BatchDeps = { uploads: UploadFiles; previews: Previews; reading: BatchReading; events: DhkpEvents };
type StoredList = StoredUpload & { fileName: string; sha256: string; isPasted: boolean };
type Page<Row> = { rows: Row[]; total: number; limit: number; page: number };
type Paging = { limit?: number | undefined; page?: number | undefined };

/** Imports of lists, from the file to the preview (R-DHKP-2 to R-DHKP-8). */
export function createBatchService(context: ServiceContext, deps: BatchDeps) {
  const { orm, write, policy, now, timeZone } = context;
  const { uploads, previews, reading, events } = deps;

  /** @throws 404 */
  async function requireBatch(db: ConnectionOrTransaction, id: string): Promise<queries.BatchRecord> {
    const batch = await queries.findBatch(db, id);
    if (!batch) throw notFound(dhkpTexts.batchMissing);
    return batch;
  }

  /** @throws 422 */
  function requireYear(year: number): void {
    const nextYear = yearOf(todayIn(timeZone, now())) + 1;
    if (year < LIST_YEAR_MIN || year > nextYear) throw invalid('year', dhkpTexts.yearInvalid);
  }

  /** One file after the other is in memory. @throws 415, 422 without a list, 507 */
  async function takeIn(file: FormFile | undefined, text: string | undefined): Promise<StoredList> {
    if (!file && (text === undefined || text.trim() === '')) throw invalid(LIST_FILE_FIELD, dhkpTexts.fileRequired);
    return uploads.inTurn(async () => {
      const bytes = file ? await uploads.read(file.path) : Buffer.from(text ?? '', 'utf8');
      if (file && listTypeOf(bytes) === null) throw new AppError(415, dhkpTexts.fileType);
      const sha256 = await hash(bytes);
      const stored = await uploads.write(LIST_EXTENSION, bytes);
      return { ...stored, sha256, fileName: file ? cleanListName(file.name) : PASTED_NAME, isPasted: !file };
    });
  }

  return {
    /**
     * Stores a list, which is read from then on. The same admin and `client_id` again get the first one.
     * @throws 401, 403, 409 for too many, 415, 422, 507
     */
    async create(
      currentUser: CurrentUser,
      body: CreateBatchBody,
      file: FormFile | undefined,
    ): Promise<{ batch: queries.BatchRecord; isNew: boolean }> {
      const findFirst = (db: ConnectionOrTransaction) => queries.findByClientId(db, currentUser.id, body.client_id);
      const first = await findFirst(orm);
      if (first) {
        await policy.requireLiveAdmin(orm, currentUser);
        return { batch: first, isNew: false };
      }
      requireYear(body.year);
      const stored = await takeIn(file, body.text);
      let result: { batch: queries.BatchRecord; isNew: boolean };
      try {
        result = await write(async (tx) => {
          await policy.requireLiveAdmin(tx, currentUser);
          // Asked again: the same upload may have arrived twice at the same moment.
          const before = await findFirst(tx);
          if (before) return { batch: before, isNew: false };
          if ((await queries.countOpen(tx)) >= OPEN_BATCHES_MAX) throw conflict(dhkpTexts.tooManyOpen);
          const batch = newBatch(currentUser, body, stored, now());
          await queries.insertBatch(tx, batch);
          return { batch, isNew: true };
        });
      } catch (error) {
        await uploads.discard(stored.name);
        throw error;
      }
      if (!result.isNew) await uploads.discard(stored.name);
      else begin(result.batch);
      return result;
    },

    async list({ limit = BATCHES_DEFAULT, page = 1 }: Paging): Promise<Page<queries.BatchRecord>> {
      return { ...(await queries.listBatches(orm, limit, (page - 1) * limit)), limit, page };
    },

    /** @throws 404 */
    find: (id: string): Promise<queries.BatchRecord> => requireBatch(orm, id),

    /** A page of the rows of the preview. @throws 404 */
    async rows(id: string, { kind, limit = BATCH_ROWS_DEFAULT, page = 1 }: BatchRowsQuery): Promise<Page<BatchRowRow>> {
      const previewId = completePreviewOf(await requireBatch(orm, id));
      if (previewId === null || kind === null) return { rows: [], total: 0, limit, page };
      const slice = await queries.listBatchRows(orm, previewId, kind, { limit, offset: (page - 1) * limit });
      return { ...slice, limit, page };
    },

    /** The file is read again with the choices; absent ones stay. @throws 401, 403, 404, 409, 422 */
    async change(currentUser: CurrentUser, id: string, body: BatchChoicesBody): Promise<queries.BatchRecord> {
      const { batch, previewId } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const before = await requireBatch(tx, id);
        if (!CHANGEABLE_STATES.includes(before.state)) throw conflict(dhkpTexts.notChangeable);
        const known = new Set(before.findings?.sheets.map(({ index }) => index));
        if (body.sheets && (body.sheets.length === 0 || body.sheets.some((index) => !known.has(index)))) {
          throw invalid('sheets', dhkpTexts.columnsInvalid);
        }
        const width = before.findings?.headers.length ?? 0;
        const columns = Object.values(body.columns ?? {});
        if (width > 0 && columns.some((column) => column >= width)) {
          throw invalid('columns', dhkpTexts.columnsInvalid);
        }
        const choices = mergeChoices(before.choices, body);
        const after = { ...before, choices, state: 'reading' as const, previewId: null, doneRows: 0, totalRows: 0 };
        await queries.updateBatch(tx, id, after);
        return { batch: after, previewId: before.previewId };
      });
      begin(batch);
      if (previewId !== null) await previews.discard(previewId);
      return batch;
    },

    /** @throws 401, 403, 404, 409 for an applied one */
    async discard(currentUser: CurrentUser, id: string): Promise<void> {
      const { file, previewId } = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const batch = await requireBatch(tx, id);
        if (BEGUN_STATES.includes(batch.state)) throw conflict(dhkpTexts.appliedNotDiscarded);
        await queries.deleteBatch(tx, id);
        return batch;
      });
      reading.stop(id);
      if (file !== null) await uploads.discard(file);
      if (previewId !== null) await previews.discard(previewId);
    },

    /** @throws 404 also when the file is kept no longer */
    async requireFile(id: string): Promise<{ file: string; fileName: string }> {
      const { file, fileName } = await requireBatch(orm, id);
      if (file === null) throw notFound(dhkpTexts.fileGone);
      return { file, fileName };
    },

    /** Reads again what a restart broke off, or what a process has left that has ended. */
    async resumeReading(): Promise<void> {
      for (const { id } of await queries.listIdsInState(orm, 'reading')) if (!reading.isGoingOn(id)) reading.start(id);
    },
  };

  function begin(batch: queries.BatchRecord): void {
    events.report(batch);
    reading.start(batch.id);
  }
}
export type BatchService = ReturnType<typeof createBatchService>;

function newBatch(
  currentUser: CurrentUser,
  { year, client_id: clientId }: CreateBatchBody,
  { name, bytes, sha256, fileName, isPasted }: StoredList,
  createdAt: number,
): queries.BatchRecord {
  return {
    id: newId(),
    byId: currentUser.id,
    byName: currentUser.name,
    clientId,
    year,
    isPasted,
    file: name,
    fileName,
    bytes,
    sha256,
    state: 'reading',
    message: null,
    kind: 'list',
    isComplete: false,
    choices: {},
    findings: null,
    counts: null,
    computed: null,
    previewId: null,
    listVersion: null,
    doneRows: 0,
    totalRows: 0,
    controlReason: null,
    revertReason: null,
    actorId: null,
    actorName: null,
    createdAt,
    appliedAt: null,
    revertedAt: null,
  };
}

/** Absent choices stay. */
function mergeChoices(before: StoredChoices, body: BatchChoicesBody): StoredChoices {
  const {
    control,
    header_row,
    use_changed,
    include_other_village,
    kind,
    sheets,
    columns,
    prefix,
    multiplier,
    complete,
  } = body;
  const sent: { [Name in keyof StoredChoices]: StoredChoices[Name] | undefined } = {
    kind,
    sheets,
    columns,
    prefix,
    multiplier,
    complete,
    headerRow: header_row,
    useChanged: use_changed,
    includeOtherVillage: include_other_village,
    control: control && {
      objects: control.objects,
      amountSen: control.amount === null ? null : rupiahToSen(control.amount),
      books: control.books.map(({ book, objects, amount }) => ({
        book,
        objects,
        amountSen: amount === null ? null : rupiahToSen(amount),
      })),
    },
  };
  return { ...before, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) };
}

/** In parts, so that a large file does not hold the event loop. */
async function hash(bytes: Buffer): Promise<string> {
  const sum = createHash('sha256');
  for (let from = 0; from < bytes.length; from += HASH_PART_BYTES) {
    sum.update(bytes.subarray(from, from + HASH_PART_BYTES));
    await nextTurn();
  }
  return sum.digest('hex');
}
