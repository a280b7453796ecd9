import { Button, Paper, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { proofUrl } from '../../display/proof-url.ts';
import { RecordProof } from '../../display/record-proof.tsx';
import { recordHeading } from '../../display/record-title.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { DecisionButtons } from './decision-buttons.tsx';
import classes from './inbound.module.css';
import { PaidDialog } from './paid-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { ReportFacts } from './report-facts.tsx';
import { decisionText, type RecordCheck } from './use-record-check.ts';
import { useInboundKeys } from './use-inbound-keys.ts';

type Props = {
  record: TaxRecord;
  check: RecordCheck;
  /** Among those that wait; null: it does not wait. */
  place: { position: number; total: number } | null;
  isOwnCheck: boolean;
  hasPrevious: boolean;
  /** Loads the record again, because its photo could not be shown. */
  onReload: () => void;
  onSkip: () => void;
  onBack: () => void;
  /** To the next one that waits, or to the end of the queue. */
  onFinish: () => void;
};

/** Why a record can no longer be decided on, in words. */
function closedText({ verification: { state, by_name } }: TaxRecord, isOwnCheck: boolean): string {
  if (state === 'none') return 'Laporan pembayaran ini sudah ditarik oleh warga.';
  return isOwnCheck ? 'Sudah Anda putuskan.' : `${by_name ?? 'Admin lain'} sudah memutuskan bukti ini.`;
}

/** The photo of one report beside its record, and what can be decided. */
export function ReviewedRecord(props: Props) {
  const { record, check, place, isOwnCheck, hasPrevious, onReload, onSkip, onBack, onFinish } = props;
  const [dialog, setDialog] = useState<'reject' | 'paid' | null>(null);
  const photo = useRef<HTMLDivElement>(null);
  const hasPhoto = record.payment_proof !== null;
  const { state } = record.verification;
  const isOpen = state === 'pending' || state === 'outdated';
  const unsent = check.unsent?.record.id === record.id ? check.unsent : null;
  const notice = check.notice?.id === record.id ? check.notice : null;
  // A second decision must not overtake the one that is still to be sent.
  const canDecide = isOpen && !check.busy && check.unsent === null;

  const act = (run: () => void) => () => {
    if (canDecide) run();
  };
  const match = act(() => check.decide(record, { result: 'matched', reason: null }));
  const reject = act(() => setDialog('reject'));
  const markPaid = act(() => setDialog('paid'));
  useInboundKeys({
    f: () => photo.current?.querySelector('button')?.click(),
    ...(isOpen
      ? { Enter: match, x: reject, ...(record.status === 'lunas' ? {} : { l: markPaid }) }
      : { Enter: onFinish }),
  });

  return (
    <div className={classes['review']} data-photo={hasPhoto || undefined}>
      {hasPhoto ? (
        <Paper withBorder className={classes['photo']} ref={photo}>
          <RecordProof url={proofUrl(record.payment_proof)} onReload={onReload} />
        </Paper>
      ) : null}
      <Paper withBorder component="section" className={classes['facts']} aria-labelledby="bukti-judul">
        <div className={classes['head']}>
          <Title order={2} id="bukti-judul" tabIndex={-1} data-record-heading className={classes['heading'] ?? ''}>
            {recordHeading(record)}
          </Title>
          {place ? (
            <Text c="dimmed" fz="sm" className="tabular">
              {formatNumber(place.position)} dari {formatNumber(place.total)}
            </Text>
          ) : null}
        </div>
        <div className={classes['states']}>
          <StatusBadge status={record.status} />
          <VerificationMark verification={record.verification} />
        </div>
        {hasPhoto ? null : (
          <Text fz="sm" fw={600}>
            Warga melaporkan pembayaran tanpa foto.
          </Text>
        )}
        {notice ? <FormAlert kind="warning" message={notice.message} hint={notice.hint} /> : null}
        {check.unsent ? (
          <UnsentDecision check={check} isHere={unsent !== null} text={decisionText(check.unsent.decision)} />
        ) : null}
        {!isOpen ? <FormAlert kind="info" message={closedText(record, isOwnCheck)} /> : null}
        <ReportFacts record={record} />
        {isOpen ? (
          <DecisionButtons
            record={record}
            disabled={check.unsent !== null}
            busy={check.busy}
            onMatch={match}
            onReject={reject}
            onMarkPaid={markPaid}
          />
        ) : (
          <div className={`${classes['decisions']} ${classes['row']}`}>
            <Button onClick={onFinish}>Lanjut</Button>
            {state === 'none' ? null : (
              <Button variant="default" loading={check.busy} onClick={() => check.undo(record)}>
                Urungkan pencocokan
              </Button>
            )}
          </div>
        )}
        <div className={classes['steps']}>
          <Button
            variant="subtle"
            color="gray"
            px="sm"
            disabled={!hasPrevious}
            leftSection={<IconArrowLeft size={18} aria-hidden />}
            aria-keyshortcuts="ArrowLeft"
            onClick={onBack}
          >
            Sebelumnya
          </Button>
          <Button
            variant="subtle"
            color="gray"
            px="sm"
            rightSection={<IconArrowRight size={18} aria-hidden />}
            aria-keyshortcuts="ArrowRight"
            onClick={onSkip}
          >
            Lewati
          </Button>
        </div>
      </Paper>
      {dialog === 'reject' ? (
        <RejectDialog
          record={record}
          initialReason={check.draft.id === record.id ? check.draft.reason : ''}
          onCancel={(reason) => {
            check.setDraft({ id: record.id, reason });
            setDialog(null);
          }}
          onReject={(reason, isReset) => {
            setDialog(null);
            const mark = isReset ? ({ status: 'belum_lunas', payment_date: null } as const) : null;
            check.decide(record, { result: 'rejected', reason }, mark);
          }}
        />
      ) : null}
      {dialog === 'paid' ? (
        <PaidDialog
          record={record}
          onCancel={() => setDialog(null)}
          onPaid={(date) => {
            setDialog(null);
            check.decide(record, { result: 'matched', reason: null }, { status: 'lunas', payment_date: date });
          }}
        />
      ) : null}
    </div>
  );
}

type UnsentProps = { check: RecordCheck; isHere: boolean; text: string };

/** A decision that could not be sent stays until it is sent or given up. */
function UnsentDecision({ check, isHere, text }: UnsentProps) {
  return (
    <div className={classes['unsent']}>
      <FormAlert
        kind="warning"
        message={`Belum tersimpan: ${text}`}
        hint={
          isHere
            ? 'Server tidak dapat dihubungi. Keputusan ini dikirim lagi begitu terhubung.'
            : 'Keputusan untuk bukti lain ini masih menunggu koneksi.'
        }
      />
      <div className={classes['steps']}>
        <Button variant="light" loading={check.busy} onClick={check.retry}>
          Kirim lagi
        </Button>
        <Button variant="default" disabled={check.busy} onClick={check.discard}>
          Batalkan keputusan
        </Button>
      </div>
    </div>
  );
}
