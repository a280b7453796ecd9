import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { formatRupiah, senToRupiah } from '#shared/domain/money/rupiah.ts';
import {
  TAX_RECORD_FIELDS,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels } from '#shared/labels.ts';
import type { OwnRecordRow } from './own-data-queries.ts';
import { fileLink, PAGE_END, type PageAbout, pageHead } from './page-frame.ts';

/** The fields that are not written as they are stored. */
const formats: Partial<Record<TaxRecordField, (record: OwnRecordRow) => string>> = {
  property_type: ({ propertyType }) =>
    propertyType === null ? NO_PROPERTY_TYPE_LABEL : propertyTypeLabels[propertyType],
  spt_number: ({ sptNumber }) => formatSptNumber(sptNumber),
  amount: ({ amountSen }) => formatRupiah(senToRupiah(amountSen)),
  status: ({ status }) => statusLabels[status],
  due_date: ({ dueDate }) => formatDate(dueDate, 'UTC'),
  payment_date: ({ paymentDate }) => formatDate(paymentDate, 'UTC'),
};
const SHOWN_FIELDS = TAX_RECORD_FIELDS.filter((field) => field !== 'payment_proof');

function writeField(record: OwnRecordRow, field: TaxRecordField): string {
  const stored = record[taxRecordFields[field].column];
  if (stored === null) return '';
  const text = formats[field]?.(record) ?? String(stored);
  return `<dt>${taxRecordFields[field].label}</dt><dd>${escapeMarkup(text)}</dd>\n`;
}

function writeRecord(record: OwnRecordRow, proof: string | undefined): string {
  const title = `PBB ${record.year} · ${formatSptNumber(record.sptNumber)}`;
  const image = proof === undefined ? '' : fileLink(proof, 'Bukti pembayaran', true);
  const fields = SHOWN_FIELDS.map((field) => writeField(record, field)).join('');
  return `<article>\n<h3>${escapeMarkup(title)}</h3>\n<dl>\n${fields}</dl>\n${image}</article>\n`;
}

/** The records for people. @param proofs paths in the copy by record */
export async function* writeRecordsPage(
  records: AsyncIterable<OwnRecordRow>,
  proofs: ReadonlyMap<string, string>,
  about: PageAbout,
): AsyncGenerator<string> {
  yield pageHead('Data PBB', about);
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    yield writeRecord(record, proofs.get(record.id));
  }
  if (isEmpty) yield '<p>Belum ada data PBB.</p>\n';
  yield PAGE_END;
}
