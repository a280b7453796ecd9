import type { Message } from '#shared/api/chat/chat.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { changeInstallRecord } from '#client/lib/browser/install-record.ts';
import type { OutboxFile } from '../files/outbox-file.ts';
import { dropLocalFiles, releaseSentFiles } from '../files/local-files.ts';
import { type ChatState, type FileJob, isAdmin } from '../state/chat-state.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { findEntry } from '../state/outbox-entries.ts';
import { refetchContact, requirePeerId } from './contact.ts';
import type { Effect, JobContext } from './runner.ts';

/** Most visits upload nothing. */
const loadUploads = () => import('./uploads.ts');

/** The messages that this tab has in one step, each with its conversation and a key of the attempt. */
function entriesAt(state: ChatState, step: 'uploading' | 'sending') {
  return Object.entries(state.inFlight).flatMap(([userId, current]) => {
    const entry = current.step === step ? findEntry(state, current.clientId) : undefined;
    return entry ? [{ userId, current, entry, key: `${entry.client_id} ${entry.attempts}` }] : [];
  });
}

type Upload = { userId: string; file: OutboxFile };

async function upload({ userId, file }: Upload, context: JobContext): Promise<void> {
  const { report } = context;
  try {
    const { uploadFile } = await loadUploads();
    const uploadedId = await uploadFile(
      file,
      (fraction) => report({ type: 'call.uploadProgressed', userId, fraction }),
      context,
    );
    report({ type: 'call.uploaded', userId, uploadedId });
  } catch (error) {
    report({ type: 'call.uploadFailed', userId, error });
  }
}

/** Uploads the files of messages before these are sent. */
export const uploads: Effect<Upload> = {
  wanted: (state) =>
    entriesAt(state, 'uploading').flatMap(({ userId, current, entry, key }) => {
      const file = entry.files.find(({ id }) => id === current.uploadingId);
      return file ? [[`${key} ${file.id}`, { userId, file }]] : [];
    }),
  run: upload,
};

const extrasOf = ({ quote, seen_id, files, record }: OutboxEntry) => ({
  ...(quote && { replyTo: quote._id }),
  ...(seen_id !== null && { seenId: seen_id }),
  ...(files.length > 0 && { attachmentIds: files.flatMap(({ uploadedId }) => uploadedId ?? []) }),
  ...(record && { recordId: record.id }),
});

type Send = { userId: string; entry: OutboxEntry };

async function post({ userId, entry }: Send, context: JobContext): Promise<Message> {
  const { content, client_id } = entry;
  const extras = extrasOf(entry);
  const peerId = await requirePeerId(userId, context);
  try {
    return await context.api.sendMessage(peerId, content, client_id, extras);
  } catch (error) {
    const isPeerGone = error instanceof ApiError && (error.status === 403 || error.status === 404);
    if (!isPeerGone || isAdmin(context.read())) throw error;
    // The known admin is no admin any more or was deleted. An inactive admin can still be addressed.
    const newPeerId = await refetchContact(context);
    if (newPeerId === peerId) throw error;
    return context.api.sendMessage(newPeerId, content, client_id, extras);
  }
}

async function send(input: Send, context: JobContext): Promise<void> {
  const { userId } = input;
  const { report } = context;
  try {
    const message = await post(input, context);
    if (!isAdmin(context.read())) changeInstallRecord({ hasWritten: true });
    report({ type: 'call.sent', userId, message });
  } catch (error) {
    report({ type: 'call.sendFailed', userId, error });
  }
}

/** Sends the messages whose files are uploaded. */
export const sends: Effect<Send> = {
  wanted: (state) => entriesAt(state, 'sending').map(({ userId, entry, key }) => [key, { userId, entry }]),
  run: send,
};

async function handleFiles({ number, kind, files }: FileJob, { api, read, report }: JobContext): Promise<void> {
  const accountId = read().currentUser?.id ?? '';
  if (kind === 'sent') releaseSentFiles(accountId, files);
  else
    dropLocalFiles(
      accountId,
      files.map(({ id }) => id),
    );
  report({ type: 'done.filesHandled', number });
  if (kind === 'sent' || files.every(({ uploadedId }) => uploadedId === null)) return;
  // The server removes what is left after a day.
  await loadUploads().then(
    ({ removeUploads }) => removeUploads(files, api),
    () => undefined,
  );
}

/** Forgets the bytes of files that are sent or dropped. */
export const fileJobs: Effect<FileJob> = {
  wanted: (state) => state.fileJobs.map((job) => [String(job.number), job]),
  run: handleFiles,
};
