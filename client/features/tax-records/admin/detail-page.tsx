import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { MarkPaidButton } from '../display/mark-paid/mark-paid-button.tsx';
import { RecordDetailPage, type RenderAudit } from '../pages/record-detail-page.tsx';
import { scopeTexts } from '../pages/scope-texts.ts';
import { useStoredRecord } from '../pages/use-stored-record.ts';
import { recordHeading } from '../display/record-title.ts';
import { CheckButton } from './inbound/check-button.tsx';
import { OwnerCard } from './owner-card.tsx';

/** /admin/tax-records/{id} (R-REC-23). */
export function AdminRecordDetail({ renderAudit }: { renderAudit: RenderAudit }) {
  const stored = useStoredRecord('admin');
  const { record, isMissing } = stored;
  const title = isMissing ? scopeTexts.admin.missingTitle : 'Detail Data Pajak';
  const subject = record ? recordHeading(record) : undefined;
  usePageTitle(subject ?? title);
  const isReported = record?.verification.state === 'pending' || record?.verification.state === 'outdated';
  const isUnpaid = record !== undefined && record.status !== 'lunas';
  return (
    <RecordDetailPage
      scope="admin"
      stored={stored}
      renderAudit={renderAudit}
      title={title}
      subject={subject}
      description={record ? `${record.name} · ${record.spt_number}` : undefined}
      primaryAction={
        // What a resident reported is compared before anything is marked.
        isReported || isUnpaid ? (
          <>
            {isReported ? <CheckButton record={record} /> : null}
            {isUnpaid ? <MarkPaidButton record={record} size="page" isSecond={isReported} /> : null}
          </>
        ) : undefined
      }
      statusAction={record && !isReported ? <CheckButton record={record} /> : undefined}
      owner={record ? <OwnerCard owner={record.user} /> : undefined}
    />
  );
}
