import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels, UNKNOWN_STATUS_LABEL } from '#shared/labels.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';

/** Names a record in the accessible name of a button, because every row has the same buttons. */
export function recordLabel({ name, spt_number, year }: Pick<TaxRecord, 'name' | 'spt_number' | 'year'>): string {
  return `${name}, ${formatSptNumber(spt_number)}, ${year}`;
}

/** The label of a status. A value from the server or the URL may be any text. */
export function statusLabel(status: string): string {
  return Object.hasOwn(statusLabels, status) ? statusLabels[status as keyof typeof statusLabels] : UNKNOWN_STATUS_LABEL;
}

export function propertyLabel(type: string | null): string {
  if (type === null || !Object.hasOwn(propertyTypeLabels, type)) return NO_PROPERTY_TYPE_LABEL;
  return propertyTypeLabels[type as keyof typeof propertyTypeLabels];
}

/** Said to a payment date that is a slip of typing; the server takes any date. */
export const PAYMENT_AFTER_TODAY = 'Tanggal pembayaran tidak boleh setelah hari ini';

/** Splits an address into what tells objects apart, such as 'Jl. Melati No. 12', and the rest, such as 'Desa Sukamaju'. */
export function splitAddress(address: string): { place: string; rest: string } {
  const parts = address.split(',').map((part) => part.trim());
  // A street without a number says too little: 'Jl. Melati, No. 12, Desa Sukamaju'.
  const length = /\d/.test(parts[0] ?? '') ? 1 : 2;
  return { place: parts.slice(0, length).join(', '), rest: parts.slice(length).join(', ') };
}

/** The title of a record in a list: 'Rumah Tinggal – Jl. Melati No. 12'. One owner has many records, so a name tells little. */
export function recordTitle({ address, property_type: type }: Pick<TaxRecord, 'address' | 'property_type'>): string {
  const { place } = splitAddress(address);
  return type === null ? place : `${propertyLabel(type)} – ${place}`;
}

/** The line below the title: the owner's name and the rest of the address. */
export function recordSubtitle({ name, address }: Pick<TaxRecord, 'name' | 'address'>): string {
  const { rest } = splitAddress(address);
  return rest === '' ? name : `${name} · ${rest}`;
}

/** The heading of a record's page: 'PBB 2026 · Jl. Melati No. 12'. */
export function recordHeading({ tax_type: taxType, year, address }: TaxRecord): string {
  return `${taxType} ${year} · ${splitAddress(address).place}`;
}
