import { RecordAudit } from '#client/features/audit/display/record-audit.tsx';
import { OwnRecordDetail } from '#client/features/tax-records/own/detail-page.tsx';

/** Connects the user's page of a record with the audit of that record. */
export function OwnRecordDetailPage() {
  return <OwnRecordDetail renderAudit={(id) => <RecordAudit path="/tax-records/{id}/history" id={id} />} />;
}
