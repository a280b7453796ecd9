import { LETTERHEAD } from '#client/exports/report-document.ts';
import { formatRupiah, showDateTime } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { VerificationState } from '#shared/api/verification.ts';
import {
  listEvery,
  type LongTextField,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-record-fields.ts';
import { amountInWords } from '#shared/domain/amount-words.ts';
import { longTextRows, recordText, statusLabel } from '../display/record-labels.ts';
import { verificationText } from '../display/verification/verification-text.ts';
import { SignaturePlace } from '../export/signature-place.tsx';
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

/** The text in place of the framed status while the office has not confirmed the reported payment. */
const unconfirmedStamps: Partial<Record<VerificationState, string>> = {
  pending: 'BELUM DIPERIKSA KANTOR',
  outdated: 'BELUM DIPERIKSA KANTOR',
  rejected: 'DITOLAK KANTOR',
};

/** The printed receipt of a record. It never claims more than the office knows (R-REC-17). */
export function Receipt({ record, printTimeMs }: { record: TaxRecord; printTimeMs: number }) {
  const unconfirmed = unconfirmedStamps[record.verification.state];
  const isPaid = record.status === 'lunas';
  const isConfirmedPaid = isPaid && !unconfirmed;
  const rows = [
    ...RECEIPT_FIELDS.map((field) => {
      const value = recordText(record, field);
      // The row alone would be a claim, too.
      const isClaim = field === 'status' && isPaid && unconfirmed;
      return { label: taxRecordFields[field].label, value: isClaim ? `${value} (belum dipastikan kantor)` : value };
    }),
    ...(record.verification.state === 'none'
      ? []
      : [{ label: 'Pencocokan', value: verificationText(record.verification) }]),
    ...longTextRows(record),
  ];
  return (
    <div className={`print-only ${classes['nota']}`}>
      <p className={classes['letterhead']}>{LETTERHEAD.name}</p>
      <p className={classes['line']}>{LETTERHEAD.line}</p>
      <p className={classes['title']}>NOTA PBB</p>
      <p className={classes['number']}>No. {record.id.slice(-RECEIPT_NUMBER_LENGTH)}</p>
      <p className={classes['disclaimer']}>Bukan bukti setoran resmi</p>
      {unconfirmed ? (
        <p className={classes['unconfirmed']}>{unconfirmed}</p>
      ) : (
        <p className={classes['status']}>{statusLabel(record.status).toLocaleUpperCase('id-ID')}</p>
      )}
      <table className={classes['table']}>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
          <tr className={classes['amount']}>
            <th scope="row">Jumlah</th>
            <td>{formatRupiah(record.amount)}</td>
          </tr>
          <tr>
            <th scope="row">Terbilang</th>
            <td className={classes['words']}>{capitalize(amountInWords(record.amount))}</td>
          </tr>
        </tbody>
      </table>
      <p className={classes['printed']}>Dicetak {showDateTime(new Date(printTimeMs).toISOString())}</p>
      <div className={classes['signatures']} data-officer={isConfirmedPaid || undefined}>
        <div>
          {isConfirmedPaid ? <p>&nbsp;</p> : <SignaturePlace />}
          <p>Wajib Pajak</p>
          <p className={classes['signer']}>{record.name}</p>
        </div>
        {isConfirmedPaid ? (
          <div>
            <SignaturePlace />
            <p>Petugas</p>
            <p className={classes['signer']}>&nbsp;</p>
          </div>
        ) : null}
      </div>
    </div>
  );
}
