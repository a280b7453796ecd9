import { adminRecordParams, adminRecordProofs, adminRecordViews } from '#client/paths.ts';
import {
  choicePart,
  datePart,
  keysOf,
  sortPart,
  textPart,
  type UrlParts,
  wordPart,
  yearPart,
} from '#client/ui/list/filter/url-filter.ts';
import { VERIFICATION_FILTERS } from '#shared/domain/tax-records/verification-states.ts';
import { propertyTypeLabels, statusLabels } from '#shared/labels.ts';
import { type AdminRecordFilter, noAdminRecordFilter } from '../../api.ts';

export const sortLabels: Record<AdminRecordFilter['sort'], string> = {
  '-created_at': 'Terbaru dicatat',
  created_at: 'Terlama dicatat',
  name: 'Nama A–Z',
  '-name': 'Nama Z–A',
  '-amount': 'Jumlah terbesar',
  amount: 'Jumlah terkecil',
  '-year': 'Tahun terbaru',
  year: 'Tahun terlama',
  due_date: 'Jatuh tempo terdekat',
  '-due_date': 'Jatuh tempo terjauh',
};

/** The known values of a list with commas, each once and in the order of the choices. */
function knownStates(text: string): string {
  const states = text.split(',');
  return VERIFICATION_FILTERS.filter((state) => states.includes(state)).join(',');
}

/** The filter of the list in its address, as `paths.adminRecordsWhere` writes it. */
export const adminFilterParts: UrlParts<AdminRecordFilter> = {
  search: textPart(adminRecordParams.search),
  status: choicePart(adminRecordParams.status, keysOf(statusLabels)),
  property_type: choicePart(adminRecordParams.property_type, keysOf(propertyTypeLabels)),
  year: yearPart(adminRecordParams.year),
  user_id: textPart(adminRecordParams.user_id),
  view: wordPart(adminRecordParams.view, adminRecordViews),
  proof: wordPart(adminRecordParams.proof, adminRecordProofs),
  verification: { ...textPart(adminRecordParams.verification), read: knownStates },
  due_from: datePart(adminRecordParams.due_from),
  due_to: datePart(adminRecordParams.due_to),
  payment_from: datePart(adminRecordParams.payment_from),
  payment_to: datePart(adminRecordParams.payment_to),
  sort: sortPart(adminRecordParams.sort, keysOf(sortLabels), noAdminRecordFilter.sort),
};

/** Whether the filter can hide records; the sort order cannot. */
export function hasActiveFilter({ sort: _sort, ...parts }: AdminRecordFilter): boolean {
  return Object.values(parts).some((value) => value !== '');
}
