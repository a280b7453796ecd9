import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { usePrinting } from '#client/ui/page/use-printing.ts';
import { RecordDetailPage, type RenderAudit } from '../pages/record-detail-page.tsx';
import { scopeTexts } from '../pages/scope-texts.ts';
import { useStoredRecord } from '../pages/use-stored-record.ts';
import { Receipt } from './receipt.tsx';

/** /tax-records/{id} (R-REC-16); prints the receipt in place of the page. */
export function OwnRecordDetail({ renderAudit }: { renderAudit: RenderAudit }) {
  usePageTitle('Detail PBB');
  const stored = useStoredRecord('own');
  const { record, isMissing } = stored;
  const { hasPrinted, printTimeMs, print } = usePrinting();
  return (
    <>
      <div className={hasPrinted ? 'no-print' : undefined}>
        <RecordDetailPage
          scope="own"
          stored={stored}
          renderAudit={renderAudit}
          title={record?.name ?? (isMissing ? scopeTexts.own.missingTitle : 'Detail Data PBB')}
          description={record ? `${record.spt_number} · Tahun ${record.year}` : undefined}
          actions={
            <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={print}>
              Print Nota
            </Button>
          }
        />
      </div>
      {hasPrinted && record ? <Receipt record={record} printTimeMs={printTimeMs} /> : null}
    </>
  );
}
