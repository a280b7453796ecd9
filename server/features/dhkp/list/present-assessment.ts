import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { DhkpSettings } from '#shared/api/dhkp/settings.ts';
import { bookOf } from '#shared/domain/dhkp/books.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import type { AreaPlaces } from '#server/areas/area-places.ts';
import { presentIds, presentTimes } from '#server/http/answers/present.ts';
import type { AssessmentRow } from '../assessment-queries.ts';
import type { ListedRow } from './list-queries.ts';

const rupiahOf = (sen: number | null): number | null => (sen === null ? null : senToRupiah(sen));
const named = (id: string | null, name: string | null) => (id === null || name === null ? null : { id, name });

export function presentAssessment(
  { row, collectorName, accountId, accountName, recordId }: ListedRow,
  places: AreaPlaces,
  settings: DhkpSettings,
): Assessment {
  const areaId = places.areaOf(row);
  const path = areaId === null ? null : places.pathOf(areaId);
  const amount = senToRupiah(row.amountSen);
  return {
    ...presentIds(row.id),
    nop: row.nop,
    nop_text: formatNop(row.nop),
    year: row.year,
    name: row.name,
    payer_address: row.payerAddress,
    object_address: row.objectAddress,
    land_m2: row.landM2,
    building_m2: row.buildingM2,
    njop: rupiahOf(row.njopSen),
    amount,
    due_date: row.dueDate ?? settings.due_date_by_year[String(row.year)] ?? null,
    book: bookOf(amount, settings.book_limits),
    file_book: row.fileBook,
    block: row.block,
    old_number: row.oldNumber,
    listed: row.isListed,
    condition: row.condition,
    note: row.note,
    handed_out_on: row.handedOutOn,
    handed_out_to: row.handedOutTo,
    area: areaId === null || path === null ? null : { id: areaId, path },
    own_area_id: row.areaId,
    collector: named(row.collectorId, collectorName),
    file_collector: row.fileCollector,
    dusun: row.dusun,
    rt: row.rt,
    rw: row.rw,
    authority_paid: presentPaid(row),
    account: named(accountId, accountName),
    record_id: recordId,
    payment: null,
    ...presentTimes(row),
  };
}

function presentPaid(row: AssessmentRow): Assessment['authority_paid'] {
  if (row.paidBatchId === null) return null;
  return {
    on: row.paidOn,
    amount: rupiahOf(row.paidAmountSen),
    fine: rupiahOf(row.paidFineSen),
    place: row.paidPlace,
    batch_id: row.paidBatchId,
  };
}
