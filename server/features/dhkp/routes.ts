import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { dhkpCalls } from '#shared/api/calls/dhkp.ts';
import { LIST_FILE_FIELD } from '#shared/api/dhkp/batches.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { errorCode } from '#server/files/atomic.ts';
import { describeDownload } from '#server/http/answers/content-disposition.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentList, presentSingle } from '#server/http/answers/present.ts';
import { notFound } from '#server/http/errors.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Applying } from './batches/applying.ts';
import type { BatchService } from './batches/batch-service.ts';
import { presentBatch, presentBatchRow } from './batches/present-batch.ts';
import type { LinkService } from './linking/link-service.ts';
import type { MatchService } from './linking/match-service.ts';
import type { ListService } from './list/list-service.ts';
import type { Blocks, DhkpSettingsService } from './settings/settings-service.ts';

type Services = {
  batches: BatchService;
  applying: Applying;
  list: ListService;
  links: LinkService;
  matches: MatchService;
  settings: DhkpSettingsService;
};

export function dhkpRoutes(
  { proofsDir, requireFiles }: Pick<ServiceContext, 'proofsDir' | 'requireFiles'>,
  { batches, applying, list, links, matches, settings }: Services,
): Handlers<typeof dhkpCalls> {
  return {
    'GET /admin/dhkp': (received) => list.encode(received.query, listCallerOf(received)),
    'POST /admin/dhkp/bulk': async (received) =>
      presentSingle('Objek diubah', await list.updateMany(received.currentUser, received.body, listCallerOf(received))),
    'GET /admin/dhkp/matches': ({ query, ...received }) => matches.encode(query, listCallerOf(received)),
    'POST /admin/dhkp/{id}/link': async ({ currentUser, params, body }) => {
      await links.link(currentUser, params.id, body);
      return presentSingle('Objek dihubungkan', await list.findOne(params.id));
    },
    'DELETE /admin/dhkp/{id}/link': async ({ currentUser, params }) => {
      await links.unlink(currentUser, params.id);
      return presentSingle('Hubungan objek diputus', await list.findOne(params.id));
    },
    'GET /admin/dhkp/{id}': async ({ params }) => presentSingle('Objek', await list.find(params.id)),
    'PUT /admin/dhkp/{id}': async ({ currentUser, params, body }) =>
      presentSingle('Objek disimpan', await list.update(currentUser, params.id, body)),

    'GET /admin/dhkp/blocks': async (received) =>
      presentBlocks('Wilayah blok', await settings.blocks(listCallerOf(received))),
    'PUT /admin/dhkp/blocks': async (received) =>
      presentBlocks(
        'Wilayah blok disimpan',
        await settings.saveBlocks(received.currentUser, received.body, listCallerOf(received)),
      ),
    'GET /admin/dhkp/settings': async () => presentSingle('Pengaturan daftar', await settings.current()),
    'PUT /admin/dhkp/settings': async ({ currentUser, body }) =>
      presentSingle('Pengaturan daftar disimpan', await settings.save(currentUser, body)),

    'POST /admin/dhkp/batches': async ({ currentUser, body, files, reply }) => {
      const { batch, isNew } = await batches.create(currentUser, body, files.get(LIST_FILE_FIELD));
      reply.code(isNew ? 201 : 200);
      return presentSingle('Daftar sedang dibaca', presentBatch(batch));
    },
    'GET /admin/dhkp/batches': async ({ query }) => {
      const { rows, total, limit, page } = await batches.list(query);
      return presentList('Impor daftar', rows.map(presentBatch), total, limit, page);
    },
    'GET /admin/dhkp/batches/{id}': async ({ params }) =>
      presentSingle('Impor daftar', presentBatch(await batches.find(params.id))),
    'PUT /admin/dhkp/batches/{id}': async ({ currentUser, params, body }) =>
      presentSingle('Daftar dibaca lagi', presentBatch(await batches.change(currentUser, params.id, body))),
    'DELETE /admin/dhkp/batches/{id}': async ({ currentUser, params }) => {
      await batches.discard(currentUser, params.id);
      return presentSingle('Impor dibuang', {});
    },
    'GET /admin/dhkp/batches/{id}/rows': async ({ params, query }) => {
      const { rows, total, limit, page } = await batches.rows(params.id, query);
      return presentList('Baris impor', rows.map(presentBatchRow), total, limit, page);
    },
    'POST /admin/dhkp/batches/{id}/apply': async ({ currentUser, params, body }) =>
      presentSingle('Impor diterapkan', presentBatch(await applying.apply(currentUser, params.id, body))),
    'POST /admin/dhkp/batches/{id}/revert': async (received) => {
      const { currentUser, params, body } = received;
      const batch = await applying.revert(currentUser, params.id, body, listCallerOf(received));
      return presentSingle('Impor dibatalkan', presentBatch(batch));
    },
    'GET /admin/dhkp/batches/{id}/file': async ({ params, reply }) => {
      const { file, fileName } = await batches.requireFile(params.id);
      await requireFiles();
      return sendFile(reply, join(proofsDir, file), fileName);
    },
  };
}

const presentBlocks = (message: string, { blocks, found }: Blocks) => ({
  ...presentSingle(
    message,
    blocks.map(({ block, areaId }) => ({ block, area_id: areaId })),
  ),
  found,
});

/** @throws 404 when it is gone */
async function sendFile(reply: FastifyReply, path: string, name: string): Promise<FastifyReply> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw notFound(dhkpTexts.fileGone);
    throw error;
  }
  const { size } = await handle.stat();
  reply.headers({
    'content-disposition': describeDownload(name),
    'content-length': size,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
  });
  return reply.type('application/octet-stream').send(handle.createReadStream());
}
