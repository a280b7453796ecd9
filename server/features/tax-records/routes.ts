import { PROOF_FIELD } from '#shared/api/tax-records/tax-records.ts';
import type { AuditPageQuery } from '#shared/api/audit.ts';
import type { ProofFromMessageBody } from '#shared/api/tax-records/verification.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { ProofFromMessage } from './from-message/from-message-service.ts';
import { presentRecord } from './present.ts';
import type { OwnedRecord } from './queries.ts';
import type { RecordEdit } from './changes/record-changes.ts';
import type { RecordService } from './service.ts';

/** A page of the audit of one record. Works for deleted records too. */
export type EncodeHistory = (id: string, paging: AuditPageQuery, caller: ListCaller) => Promise<EncodedAnswer>;

/** Shapes the answer for one record, with a proof link of the session of the caller. */
export function presentOne(links: UploadLinks, { sessionId }: CurrentUser, message: string, row: OwnedRecord) {
  return presentSingle(message, presentRecord(row, links.forSession(sessionId)));
}

type OneRecordDeps = {
  /** Only `create` depends on the type of the body. Without it `never` fits the services of users and of admins. */
  records: Omit<RecordService<never>, 'create'>;
  proofsFromMessages: ProofFromMessage;
  links: UploadLinks;
  messages: { one: string; updated: string; removed: string };
};
type OfRecord = { currentUser: CurrentUser; params: { id: string } };

/** The handlers for one record are the same for users and for admins; `records` knows which records each may use. */
export function oneRecordHandlers({ records, proofsFromMessages, links, messages }: OneRecordDeps) {
  return {
    read: async ({ currentUser, params }: OfRecord) =>
      presentOne(links, currentUser, messages.one, await records.requireRecord(currentUser, params.id)),

    update: async ({ currentUser, params, body, files }: OfRecord & WithFiles & { body: RecordEdit }) => {
      const row = await records.update(currentUser, params.id, body, files.get(PROOF_FIELD));
      return presentOne(links, currentUser, messages.updated, row);
    },

    attachProof: async ({ currentUser, params, files }: OfRecord & WithFiles) => {
      const row = await records.attachProof(currentUser, params.id, files.get(PROOF_FIELD));
      return presentOne(links, currentUser, 'Bukti pembayaran berhasil diunggah', row);
    },

    attachFromMessage: async ({ currentUser, params, body }: OfRecord & { body: ProofFromMessageBody }) => {
      const row = await proofsFromMessages.file(currentUser, params.id, body);
      return presentOne(links, currentUser, 'Foto disimpan sebagai bukti pembayaran', row);
    },

    remove: async ({ currentUser, params }: OfRecord) => {
      await records.remove(currentUser, params.id);
      return presentSingle(messages.removed, {});
    },
  };
}
type WithFiles = { files: ReadonlyMap<string, FormFile> };
