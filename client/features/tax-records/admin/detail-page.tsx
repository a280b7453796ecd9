import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { MarkPaidButton } from '../display/mark-paid/mark-paid-button.tsx';
import { RecordDetailPage, type RenderAudit } from '../pages/record-detail-page.tsx';
import { scopeTexts } from '../pages/scope-texts.ts';
import { useStoredRecord } from '../pages/use-stored-record.ts';
import { CheckButton } from './inbound/check-button.tsx';
import { OwnerCard } from './owner-card.tsx';

/** /admin/tax-records/{id} (R-REC-23). */
export function AdminRecordDetail({ renderAudit }: { renderAudit: RenderAudit }) {
  const stored = useStoredRecord('admin');
  const { record, isMissing } = stored;
  const title = isMissing ? scopeTexts.admin.missingTitle : 'Detail Data Pajak';
  usePageTitle(title);
  return (
    <RecordDetailPage
      scope="admin"
      stored={stored}
      renderAudit={renderAudit}
      title={title}
      description={record ? `${record.name} · ${record.spt_number} · Tahun ${record.year}` : undefined}
      primaryAction={record && record.status !== 'lunas' ? <MarkPaidButton record={record} size="page" /> : undefined}
      statusAction={record ? <CheckButton record={record} /> : undefined}
      owner={record ? <OwnerCard owner={record.user} /> : undefined}
    />
  );
}
