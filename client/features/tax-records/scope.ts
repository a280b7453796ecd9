import { paths } from '#client/paths.ts';

/** The records that a page handles: the currentUser's own, or those of all users. The scope decides which calls it uses. */
export type RecordScope = 'own' | 'admin';

/** The pages of each scope. */
export const recordPaths = {
  own: { list: paths.records, create: paths.recordCreate, detail: paths.record, edit: paths.recordEdit },
  admin: {
    list: paths.adminRecords,
    create: paths.adminRecordCreate,
    detail: paths.adminRecord,
    edit: paths.adminRecordEdit,
  },
} as const satisfies Record<RecordScope, object>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text of the URL has the form of a record id (R-API-5). */
export function isRecordId(text: string | undefined): text is string {
  return text !== undefined && UUID.test(text);
}
