import { useOffice } from '#client/features/office/display/use-office.ts';
import { RecordEditPage } from '../pages/record-edit-page.tsx';

/** /tax-records/{id}/edit (R-REC-18). */
export function OwnRecordEditPage() {
  return <RecordEditPage scope="own" openYears={useOffice().office?.user_years} />;
}
