import { RecordEditPage } from '../pages/record-edit-page.tsx';

/** /tax-records/{id}/edit (R-REC-18). */
export function OwnRecordEditPage() {
  return <RecordEditPage scope="own" />;
}
