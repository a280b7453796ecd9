import { ESTIMATE_LABEL } from '#shared/rollover-texts.ts';
import { formatRupiah, showDate, showDateShort, showDateTime, today } from '#client/lib/format.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { checkedSumsOf } from '#shared/domain/tax-records/checked-sums.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { statusLabel } from '../display/record-labels.ts';
import { verificationInList } from '../display/verification/verification-text.ts';
import { estimatedOf, sumNotes } from './record-document.ts';
import paper from '#client/ui/print/print.module.css';
import classes from './record-print-list.module.css';

type HeaderProps = {
  printedAtMs: number;
  /** Owner, filter and so on: 'Atas nama', 'Data'. */
  details: { label: string; value: string }[];
};

/** The heading of the printed list (R-REC-13). */
export function RecordPrintHeading({ printedAtMs, details }: HeaderProps) {
  return (
    <div className="print-only">
      <PaperHead
        title="DAFTAR DATA PBB"
        details={[...details, { label: 'Tanggal cetak', value: showDateTime(new Date(printedAtMs).toISOString()) }]}
      />
    </div>
  );
}

/** Official numbers with their dots have up to 24 characters. */
const SPT_UNBROKEN_MAX = 24;

/** The end of the printed list: place and date, and the block to sign. */
function RecordPrintSignature({ signer }: { signer: string }) {
  return (
    <div className={`print-only ${paper['signature']} ${classes['signature']}`}>
      <SignaturePlace />
      <p>{signer}</p>
      <p className={`${paper['signer']} ${classes['signer']}`}>&nbsp;</p>
    </div>
  );
}

/** The printed list. It has all records, while the screen shows them page by page. */
export function RecordPrintTable({
  records,
  withOwner = false,
}: {
  records: readonly TaxRecord[];
  withOwner?: boolean;
}) {
  return (
    <>
      <table className={`print-only ${paper['table']} ${classes['table']}`}>
        <thead>
          <tr>
            <th scope="col">No.</th>
            <th scope="col">Nama dan alamat</th>
            <th scope="col">Nomor SPT</th>
            <th scope="col">Tahun</th>
            <th scope="col">Jatuh tempo</th>
            <th scope="col">Status</th>
            <th scope="col" className={paper['figure']}>
              Jumlah
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((record, index) => (
            <tr key={record.id}>
              <td className={classes['fixed']}>{index + 1}</td>
              <td className={classes['name']}>
                <strong>{record.name}</strong>
                <br />
                {record.address}
                {withOwner ? (
                  <>
                    <br />
                    Pemilik: {record.user.name}
                  </>
                ) : null}
              </td>
              <td className={classes[formatSptNumber(record.spt_number).length > SPT_UNBROKEN_MAX ? 'longSpt' : 'spt']}>
                {formatSptNumber(record.spt_number)}
              </td>
              <td className={classes['fixed']}>{record.year}</td>
              <td className={classes['fixed']}>{showDateShort(record.due_date)}</td>
              <td className={classes['status']}>
                {statusLabel(record.status)}
                {record.verification.state === 'none' ? null : (
                  <>
                    <br />
                    {verificationInList(record, withOwner ? 'admin' : 'own')}
                  </>
                )}
              </td>
              <td className={paper['figure']}>
                {formatRupiah(record.amount)}
                {record.amount_source === 'estimate' ? (
                  <div className={classes['estimate']}>{ESTIMATE_LABEL}</div>
                ) : null}
              </td>
            </tr>
          ))}
          <tr className={paper['total']}>
            <td colSpan={6}>Jumlah seluruhnya</td>
            <td className={paper['figure']}>{formatRupiah(totalAmount(records))}</td>
          </tr>
        </tbody>
      </table>
      {sumNotes(checkedSumsOf(records), estimatedOf(records)).map((note) => (
        <p key={note} className={`print-only ${paper['note']}`}>
          {note}
        </p>
      ))}
      {/* The print of a user is no statement of the office. */}
      {withOwner ? null : (
        <p className={`print-only ${paper['note']} ${paper['disclaimer']}`}>Bukan bukti setoran resmi</p>
      )}
      <RecordPrintSignature signer={withOwner ? 'Petugas' : 'Wajib Pajak'} />
    </>
  );
}

/** The line above a signature: room for the place, and the date of today. */
export function SignaturePlace() {
  return (
    <p>
      <span className={classes['place']} />, {showDate(today())}
    </p>
  );
}
