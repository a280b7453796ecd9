import { PaperHead } from '#client/ui/print/paper-head.tsx';
import { formatRupiah, showDateTime } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { VerificationState } from '#shared/domain/tax-records/verification-states.ts';
import {
  listEvery,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { amountInWords } from '#shared/domain/money/amount-words.ts';
import type { AmountSource } from '#shared/domain/tax-records/record-values.ts';
import { ESTIMATE_LABEL, OFFICE_LABEL } from '#shared/rollover-texts.ts';
import { longTextRows, recordText } from '../display/record-field-texts.ts';
import { statusLabel } from '../display/record-labels.ts';
import { verificationText, verificationTitles } from '../display/verification/verification-text.ts';
import { SignaturePlace } from '../export/record-print-list.tsx';
import paper from '#client/ui/print/print.module.css';
import classes from './receipt.module.css';

const RECEIPT_NUMBER_LENGTH = 6;

/** The amount has a row of its own below the long texts. */
const RECEIPT_FIELDS = listEvery<Exclude<TaxRecordField, LongTextField | 'amount' | 'payment_proof'>>()([
  'name',
  'address',
  'spt_number',
  'tax_type',
  'property_type',
  'year',
  'due_date',
  'payment_date',
  'status',
]);

const capitalize = (text: string) => text.charAt(0).toLocaleUpperCase('id-ID') + text.slice(1);

/** In place of the framed status, and behind the status in its row, while the office has not confirmed the reported payment. */
const unconfirmedTexts: Partial<Record<VerificationState, string>> = {
  pending: 'belum diperiksa kantor',
  outdated: 'belum diperiksa kantor',
  rejected: 'ditolak kantor',
};

const sourceLabels: Partial<Record<AmountSource, string>> = { estimate: ESTIMATE_LABEL, office: OFFICE_LABEL };

/** The printed receipt of a record. It never claims more than the office knows (R-REC-17). */
export function Receipt({ record, printTimeMs }: { record: TaxRecord; printTimeMs: number }) {
  const unconfirmed = unconfirmedTexts[record.verification.state];
  const sourceLabel = sourceLabels[record.amount_source];
  const isPaid = record.status === 'lunas';
  const isConfirmedPaid = isPaid && !unconfirmed;
  const rows = [
    ...RECEIPT_FIELDS.map((field) => {
      const value = recordText(record, field);
      // The row alone would be a claim, too.
      const isClaim = field === 'status' && isPaid && unconfirmed;
      return { label: taxRecordFields[field].label, value: isClaim ? `${value} (${unconfirmed})` : value };
    }),
    ...(record.verification.state === 'none'
      ? []
      : [{ label: verificationTitles.own, value: verificationText(record, 'own') }]),
    ...longTextRows(record),
  ];
  return (
    <div className={`print-only ${classes['nota']}`}>
      <PaperHead />
      <p className={classes['title']}>NOTA PBB</p>
      <p className={classes['number']}>No. {record.id.slice(-RECEIPT_NUMBER_LENGTH)}</p>
      <p className={classes['disclaimer']}>Bukan bukti setoran resmi</p>
      {unconfirmed ? (
        <p className={classes['unconfirmed']} data-stamp="plain">
          {unconfirmed.toLocaleUpperCase('id-ID')}
        </p>
      ) : (
        <p className={classes['status']} data-stamp="framed">
          {statusLabel(record.status).toLocaleUpperCase('id-ID')}
        </p>
      )}
      <table className={`${paper['table']} ${classes['table']}`}>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
          <tr className={`${paper['total']} ${classes['amount']}`}>
            <th scope="row">Jumlah</th>
            <td>
              {formatRupiah(record.amount)}
              {sourceLabel ? <div className={classes['estimate']}>{sourceLabel}</div> : null}
            </td>
          </tr>
          <tr>
            <th scope="row">Terbilang</th>
            <td className={classes['words']}>{capitalize(amountInWords(record.amount))}</td>
          </tr>
        </tbody>
      </table>
      <p className={classes['printed']}>Dicetak {showDateTime(new Date(printTimeMs).toISOString())}</p>
      <div className={`${paper['signature']} ${classes['signatures']}`} data-officer={isConfirmedPaid || undefined}>
        <div>
          {isConfirmedPaid ? <p>&nbsp;</p> : <SignaturePlace />}
          <p>Wajib Pajak</p>
          <p className={`${paper['signer']} ${classes['signer']}`}>{record.name}</p>
        </div>
        {isConfirmedPaid ? (
          <div>
            <SignaturePlace />
            <p>Petugas</p>
            <p className={`${paper['signer']} ${classes['signer']}`}>&nbsp;</p>
          </div>
        ) : null}
      </div>
    </div>
  );
}
