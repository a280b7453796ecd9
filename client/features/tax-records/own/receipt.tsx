import { formatRupiah, showDate, showDateTime } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { APP_NAME } from '#shared/texts.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import classes from './receipt.module.css';

const RECEIPT_NUMBER_LENGTH = 6;

/** The record on paper, to be signed (specification 2.3). */
export function Receipt({ record, printTimeMs }: { record: TaxRecord; printTimeMs: number }) {
  const rows: [string, string][] = [
    ['Nama', record.name],
    ['Alamat', record.address],
    ['Nomor SPT', record.spt_number],
    ['Jenis Pajak', record.tax_type],
    ['Jenis Properti', propertyLabel(record.property_type)],
    ['Tahun', String(record.year)],
    ['Tanggal Jatuh Tempo', showDate(record.due_date)],
    ['Tanggal Pembayaran', showDate(record.payment_date)],
    ['Status', statusLabel(record.status)],
    ['Deskripsi', record.description ?? 'Tidak ada deskripsi'],
    ['Catatan', record.notes ?? 'Tidak ada catatan'],
  ];
  return (
    <div className={`print-only ${classes['nota']}`}>
      <p className={classes['office']}>{APP_NAME}</p>
      <p className={classes['line']}>Layanan Catatan Pajak Bumi dan Bangunan</p>
      <p className={classes['title']}>NOTA PBB</p>
      <p className={classes['number']}>No. {record.id.slice(-RECEIPT_NUMBER_LENGTH)}</p>
      <table className={classes['table']}>
        <tbody>
          {rows.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
          <tr className={classes['amount']}>
            <th scope="row">Jumlah</th>
            <td>{formatRupiah(record.amount)}</td>
          </tr>
        </tbody>
      </table>
      <p className={classes['printed']}>Dicetak {showDateTime(new Date(printTimeMs).toISOString())}</p>
      <div className={classes['signatures']}>
        <div>
          <p>Wajib Pajak</p>
          <p className={classes['signer']}>{record.name}</p>
        </div>
        <div>
          <p>Petugas</p>
          <p className={classes['signer']}>&nbsp;</p>
        </div>
      </div>
    </div>
  );
}
