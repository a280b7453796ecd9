import { Box, Button } from '@mantine/core';
import { IconMessageQuestion, IconPrinter } from '@tabler/icons-react';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { recordHeading } from '../display/record-labels.ts';
import { verificationText } from '../display/verification/verification-text.ts';
import { PHONE_BELOW_EM, RecordDetailPage, type RenderAudit } from '../pages/record-detail-page.tsx';
import { scopeTexts } from '../pages/scope-texts.ts';
import { useStoredRecord } from '../pages/use-stored-record.ts';
import { useAskAdmin } from './use-ask-admin.ts';
import { usePaymentReport } from './report-payment/use-payment-report.tsx';
import { Receipt } from './receipt.tsx';

/** /tax-records/{id} (R-REC-16); prints the receipt in place of the page. */
export function OwnRecordDetail({ renderAudit }: { renderAudit: RenderAudit }) {
  usePageTitle('Detail PBB');
  const stored = useStoredRecord('own');
  const { record, isMissing } = stored;
  const ask = useAskAdmin();
  const { statusAction, proofAction, dialog } = usePaymentReport(record);
  // On a phone there is room for one thing: who owes, pays first.
  const isPayFirst = !useWideScreen(PHONE_BELOW_EM) && statusAction !== null;
  const isUploadFirst = isPayFirst && record?.payment_proof === null;
  const { hasPrinted, printTimeMs, print } = usePrinting();
  return (
    <>
      <div className={hasPrinted ? 'no-print' : undefined}>
        <RecordDetailPage
          scope="own"
          stored={stored}
          renderAudit={renderAudit}
          title={record ? recordHeading(record) : isMissing ? scopeTexts.own.missingTitle : 'Detail Data PBB'}
          description={record ? `${record.name} · ${formatSptNumber(record.spt_number)}` : undefined}
          notice={record?.verification.state === 'rejected' ? <RejectedNotice record={record} /> : undefined}
          isPayFirst={isPayFirst}
          statusAction={
            isUploadFirst ? (
              <>
                {proofAction}
                {statusAction}
              </>
            ) : (
              statusAction
            )
          }
          proofAction={isUploadFirst ? undefined : proofAction}
          actions={
            <>
              {record && ask ? (
                <Button
                  variant="default"
                  px="sm"
                  leftSection={<IconMessageQuestion size={18} aria-hidden />}
                  onClick={() => ask(record)}
                >
                  Tanyakan ke admin
                </Button>
              ) : null}
              <Button variant="default" px="sm" leftSection={<IconPrinter size={18} aria-hidden />} onClick={print}>
                Print Nota
              </Button>
            </>
          }
        />
      </div>
      {dialog}
      {hasPrinted && record ? <Receipt record={record} printTimeMs={printTimeMs} /> : null}
    </>
  );
}

/** The reason why the office did not accept a report, and the next step of its owner (R-CHECK-25). */
function RejectedNotice({ record }: { record: TaxRecord }) {
  const button = record.payment_proof === null ? 'Unggah bukti pembayaran' : 'Ganti bukti pembayaran';
  return (
    <Box mb="md">
      <FormAlert
        kind="warning"
        message={verificationText(record, 'own')}
        hint={`Tekan “${button}” untuk mengirim bukti yang benar, atau “Tanyakan ke admin”.`}
      />
    </Box>
  );
}
