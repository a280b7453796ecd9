import { readdirSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Attachment, Message } from '#shared/api/chat/chat.ts';
import { attachments } from '#server/db/schema.ts';
import type { SignedInUser } from '../factories.ts';
import { buildForm, buildImage, type FormUpload } from '../multipart.ts';
import type { Answer, TestApp } from '../test-app.ts';

export type StoredAttachment = typeof attachments.$inferSelect;

export const storedAttachments = ({ database }: TestApp): StoredAttachment[] =>
  database.direct
    .select()
    .from(attachments)
    .orderBy(sql`rowid`)
    .all();

export const storedFiles = ({ proofsDir }: TestApp): string[] => readdirSync(proofsDir).toSorted();

type Upload = { fields?: Record<string, string>; file?: Partial<FormUpload>; thumb?: Buffer };

/** Sends the form of an upload: a PNG called bukti.png, unless the test says otherwise. */
export async function postFile(
  test: TestApp,
  { token }: Pick<SignedInUser, 'token'>,
  { fields = {}, file = {}, thumb }: Upload = {},
): Promise<Answer> {
  const form = buildForm(
    fields,
    { bytes: buildImage('png', 2000), ...file, field: 'file' },
    thumb && { bytes: thumb, field: 'thumb', filename: 'kecil.jpg' },
  );
  return test.call('POST', '/api/messages/attachments', { token, ...form });
}

/** Uploads a file and expects it to be stored. */
export async function uploadFile(test: TestApp, user: SignedInUser, upload: Upload = {}): Promise<Attachment> {
  const { status, body } = await postFile(test, user, upload);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** Sends uploaded files in a message. */
export async function sendFiles(
  test: TestApp,
  from: SignedInUser,
  to: SignedInUser,
  files: readonly Pick<Attachment, 'id'>[],
): Promise<Message> {
  const body = { to_user_id: to.id, content: 'Ini buktinya', attachment_ids: files.map(({ id }) => id) };
  const answer = await test.call('POST', '/api/messages/send', { token: from.token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
