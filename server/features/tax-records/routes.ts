import { type AdoptAssessmentBody, PROOF_FIELD } from '#shared/api/tax-records/tax-records.ts';
import type { AuditPageQuery } from '#shared/api/audit.ts';
import type { ProofFromMessageBody } from '#shared/api/tax-records/verification.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import { readAssessmentsOf } from '#server/records/linked-assessment-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Adoption } from './assessments/adopt-service.ts';
import type { ProofFromMessage } from './from-message/from-message-service.ts';
import { presentRecord } from './present.ts';
import type { OwnedRecord } from './queries.ts';
import type { RecordEdit } from './changes/record-changes.ts';
import type { RecordService } from './service.ts';

/** A page of the audit of one record. Works for deleted records too. */
export type EncodeHistory = (id: string, paging: AuditPageQuery, caller: ListCaller) => Promise<EncodedAnswer>;

/** Shapes the answer for one record, with a proof link of the session of the caller. */
export function createPresentOne({ orm }: Pick<ServiceContext, 'orm'>, links: UploadLinks) {
  return async ({ sessionId }: CurrentUser, message: string, row: OwnedRecord) => {
    const assessments = await readAssessmentsOf(orm, [row.record]);
    const linkFor = links.forSession(sessionId);
    return presentSingle(message, presentRecord(row, linkFor, assessments.get(row.record.id)));
  };
}
export type PresentOne = ReturnType<typeof createPresentOne>;

type OneRecordDeps = {
  /** Only `create` depends on the type of the body. Without it `never` fits the services of users and of admins. */
  records: Omit<RecordService<never>, 'create'>;
  proofsFromMessages: ProofFromMessage;
  adoption: Adoption;
  presentOne: PresentOne;
  messages: { one: string; updated: string; removed: string };
};
type OfRecord = { currentUser: CurrentUser; params: { id: string } };

/** The handlers for one record are the same for users and for admins; `records` knows which records each may use. */
export function oneRecordHandlers({ records, proofsFromMessages, adoption, presentOne, messages }: OneRecordDeps) {
  return {
    read: async ({ currentUser, params }: OfRecord) =>
      presentOne(currentUser, messages.one, await records.requireRecord(currentUser, params.id)),

    update: async ({ currentUser, params, body, files }: OfRecord & WithFiles & { body: RecordEdit }) => {
      const row = await records.update(currentUser, params.id, body, files.get(PROOF_FIELD));
      return presentOne(currentUser, messages.updated, row);
    },

    attachProof: async ({ currentUser, params, files }: OfRecord & WithFiles) => {
      const row = await records.attachProof(currentUser, params.id, files.get(PROOF_FIELD));
      return presentOne(currentUser, 'Bukti pembayaran berhasil diunggah', row);
    },

    attachFromMessage: async ({ currentUser, params, body }: OfRecord & { body: ProofFromMessageBody }) => {
      const row = await proofsFromMessages.file(currentUser, params.id, body);
      return presentOne(currentUser, 'Foto disimpan sebagai bukti pembayaran', row);
    },

    adoptAssessment: async ({ currentUser, params, body }: OfRecord & { body: AdoptAssessmentBody }) => {
      const row = await adoption.adopt(currentUser, params.id, body);
      return presentOne(currentUser, messages.updated, row);
    },

    remove: async ({ currentUser, params }: OfRecord) => {
      await records.remove(currentUser, params.id);
      return presentSingle(messages.removed, {});
    },
  };
}
type WithFiles = { files: ReadonlyMap<string, FormFile> };
