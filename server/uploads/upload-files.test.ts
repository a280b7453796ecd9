import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { postFile } from '#server/testing/chat/attachments.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

const reads = vi.hoisted(() => ({ running: 0, most: 0, count: 0 }));

vi.mock(import('./upload-files.ts'), async (importOriginal) => {
  const { createUploadFiles } = await importOriginal();
  return {
    createUploadFiles: (folder) => {
      const files = createUploadFiles(folder);
      const read = async (path: string): Promise<Buffer> => {
        reads.count += 1;
        reads.running += 1;
        reads.most = Math.max(reads.most, reads.running);
        // Others could begin meanwhile.
        for (let turn = 0; turn < 200; turn += 1) await nextTurn();
        reads.running -= 1;
        return files.read(path);
      };
      return { ...files, read };
    },
  };
});

it('reads one uploaded file after the other, proofs and files of messages, of all accounts', async () => {
  const test = await buildTestApp();
  const users = Array.from({ length: 4 }, () => buildTestUser(test));
  const answers = await Promise.all(
    users.flatMap(({ id, token }) => {
      const proof = { token, ...buildForm({}, { bytes: buildImage() }) };
      return [
        test.call('POST', `/api/tax-records/${buildRecord(test, id).id}/payment-proof`, proof),
        postFile(test, { token }, { thumb: buildImage() }),
      ];
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(users.flatMap(() => [200, 201]));
  expect(reads).toMatchObject({ count: 12, most: 1 });
});
