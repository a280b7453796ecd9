import { RecordAudit } from '#client/features/audit/display/record-audit.tsx';
import { AdminRecordDetail } from '#client/features/tax-records/admin/detail-page.tsx';

/** Connects the admin's page of a record with the audit of that record. */
export function AdminRecordDetailPage() {
  return <AdminRecordDetail renderAudit={(id) => <RecordAudit path="/admin/tax-records/{id}/history" id={id} />} />;
}
