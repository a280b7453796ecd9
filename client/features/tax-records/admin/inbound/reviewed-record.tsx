import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { focusInvalidDate } from '#client/ui/fields/invalid-date.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';
import { PaymentDateField, STTS_DATE_LABEL } from '../../display/payment-date-field.tsx';
import { proofUrl } from '../../display/proof-url.ts';
import { RecordProof } from '../../display/record-proof.tsx';
import { recordHeading } from '../../display/record-labels.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { DecisionButtons } from './decision-buttons.tsx';
import classes from './inbound.module.css';
import type { Decision } from './inbound-api.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { Amount, ReportFacts } from './report-facts.tsx';
import { decisionText, type RecordCheck } from './use-record-check.ts';
import { useInboundKeys } from './use-inbound-keys.ts';
import { needsDecision } from '../../display/verification/verification-text.ts';

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

const PAID_FORM_ID = 'cocok-lunas';
const SEEN_ELSEWHERE = {
  message: 'Tanpa foto. Sudah dilihat di STTS atau kas?',
  confirmLabel: 'Sudah, cocok',
  cancelLabel: 'Belum',
};

/** The reason why a record can no longer be decided on, in words. */
function closedText({ verification: { state, by_name } }: TaxRecord, isOwnCheck: boolean): string {
  if (state === 'none') return 'Laporan pembayaran ini sudah ditarik oleh warga.';
  if (state === 'outdated') return 'Kantor sudah mengembalikan data ini ke Belum Lunas.';
  return isOwnCheck ? 'Sudah Anda putuskan.' : `${by_name ?? 'Admin lain'} sudah memutuskan bukti ini.`;
}

/** The heading of the record that is shown, else that of the page. */
export function focusRecordHeading(): void {
  const heading = document.querySelector<HTMLElement>('[data-record-heading]');
  if (heading) heading.focus({ preventScroll: true });
  else focusHeading();
}

/** The photo of one report beside its record, and what can be decided. */
export function ReviewedRecord(props: Props) {
  const { record, check, place, isOwnCheck, hasPrevious, onReload, onSkip, onBack, onFinish } = props;
  const [isRejecting, setIsRejecting] = useState(false);
  const [paidOn, setPaidOn] = useState<string | null>(null);
  const [dateError, setDateError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const photo = useRef<HTMLDivElement>(null);
  const hasPhoto = record.payment_proof !== null;
  const isOpen = needsDecision(record);
  const unsent = check.unsent?.record.id === record.id ? check.unsent : null;
  const notice = check.notice?.id === record.id ? check.notice : null;
  // A second decision must not overtake the one that is still to be sent.
  const canDecide = isOpen && !check.busy && check.unsent === null;

  const isPaid = record.status === 'lunas';
  const act = (run: () => void) => () => {
    if (canDecide) run();
  };
  // A user may report a payment without its day; the office can write it with its match.
  const lacksDate = isPaid && record.payment_date === null;
  const withDate = lacksDate && paidOn !== null ? ({ status: 'lunas', payment_date: paidOn } as const) : null;
  const match = act(() => void matchAs(withDate));
  const reject = act(() => setIsRejecting(true));
  // A key is pressed faster than it is noticed that there is nothing to look at.
  const matchKeys = isPaid ? { Enter: match } : { Enter: () => form.current?.requestSubmit(), c: match };
  const openKeys = { x: reject, ...(hasPhoto ? matchKeys : {}) };
  useInboundKeys({
    f: () => photo.current?.querySelector('button')?.click(),
    ...(isOpen ? openKeys : { Enter: onFinish }),
  });

  async function matchAs(chosen: Decision['payment']): Promise<void> {
    const decision: Decision = { result: 'matched', reason: null, payment: chosen };
    const isSeen = hasPhoto || (await confirm({ ...SEEN_ELSEWHERE, title: decisionText(decision) }));
    if (isSeen) check.decide(record, decision);
  }

  /** The first press leads to the date, the next one decides. */
  function submitPaid(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!canDecide || focusInvalidDate(event.currentTarget)) return;
    const field = event.currentTarget.querySelector('input');
    if (paidOn !== null) void matchAs({ status: 'lunas', payment_date: paidOn });
    else if (document.activeElement === field) setDateError(fieldTexts.paymentDateRequired);
    else field?.focus();
  }

  return (
    <div className={classes['review']} data-photo={hasPhoto || undefined}>
      {hasPhoto ? (
        <Paper withBorder className={classes['photo']} ref={photo}>
          <RecordProof url={proofUrl(record.payment_proof)} onReload={onReload} />
        </Paper>
      ) : null}
      <Paper withBorder component="section" className={classes['facts']} aria-labelledby="bukti-judul">
        <ReviewSteps place={place} hasPrevious={hasPrevious} onBack={onBack} onSkip={onSkip} />
        <Title
          order={2}
          id="bukti-judul"
          tabIndex={-1}
          data-record-heading
          miw={0}
          style={{ overflowWrap: 'anywhere', outlineOffset: 4 }}
        >
          {recordHeading(record)}
        </Title>
        <Group gap="0.25rem 0.75rem">
          <Amount record={record} />
          <StatusBadge status={record.status} />
          <VerificationMark record={record} scope="admin" />
        </Group>
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
        {isOpen && (!isPaid || lacksDate) ? (
          <form ref={form} id={PAID_FORM_ID} noValidate className={classes['date']} onSubmit={submitPaid}>
            <PaymentDateField
              label={STTS_DATE_LABEL}
              description={lacksDate ? 'Warga tidak menulis tanggalnya' : null}
              hasCalendar={false}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !hasPhoto) event.preventDefault();
                if (event.key === 'Escape') focusRecordHeading();
              }}
              disabled={check.unsent !== null}
              value={paidOn}
              onChange={(date) => {
                setPaidOn(date);
                setDateError(undefined);
              }}
              error={dateError}
            />
          </form>
        ) : null}
        <ReportFacts record={record} />
        {isOpen ? (
          <DecisionButtons
            record={record}
            disabled={check.unsent !== null}
            busy={check.busy}
            formId={PAID_FORM_ID}
            hasKeys={hasPhoto}
            onMatch={match}
            onReject={reject}
          />
        ) : (
          <div className={`${classes['decisions']} ${classes['row']}`}>
            <Button onClick={onFinish}>Lanjut</Button>
            {record.verification.state === 'none' ? null : (
              <Button variant="default" loading={check.busy} onClick={() => check.undo(record)}>
                Urungkan pencocokan
              </Button>
            )}
          </div>
        )}
      </Paper>
      {isRejecting ? (
        <RejectDialog
          record={record}
          initialReason={check.draft.id === record.id ? check.draft.reason : ''}
          onCancel={(reason) => {
            check.setDraft({ id: record.id, reason });
            setIsRejecting(false);
          }}
          onReject={(reason, isReset) => {
            setIsRejecting(false);
            const payment = isReset ? ({ status: 'belum_lunas', payment_date: null } as const) : null;
            check.decide(record, { result: 'rejected', reason, payment });
          }}
        />
      ) : null}
    </div>
  );
}

type StepsProps = Pick<Props, 'place' | 'hasPrevious' | 'onBack' | 'onSkip'>;

/** The place of a report among those that wait, with the ways to the one before and the one after. */
function ReviewSteps({ place, hasPrevious, onBack, onSkip }: StepsProps) {
  return (
    <div className={classes['steps']}>
      <Button
        variant="subtle"
        color="gray"
        px="xs"
        disabled={!hasPrevious}
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        aria-keyshortcuts="ArrowLeft"
        onClick={onBack}
      >
        Sebelumnya
      </Button>
      {place ? (
        <Text c="dimmed" fz="sm" className="tabular">
          {formatNumber(place.position)} dari {formatNumber(place.total)}
        </Text>
      ) : null}
      <Button
        variant="subtle"
        color="gray"
        px="xs"
        rightSection={<IconArrowRight size={18} aria-hidden />}
        aria-keyshortcuts="ArrowRight"
        onClick={onSkip}
      >
        Lewati
      </Button>
    </div>
  );
}

type UnsentProps = { check: RecordCheck; isHere: boolean; text: string };

/** A decision that could not be sent stays until it is sent or given up. */
function UnsentDecision({ check, isHere, text }: UnsentProps) {
  return (
    <Stack gap="0.5rem">
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
    </Stack>
  );
}
