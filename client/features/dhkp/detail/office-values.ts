import { showDate } from '#client/lib/format.ts';
import type { Assessment, OfficeChanges } from '#shared/api/dhkp/assessments.ts';
import { conditionLabels, type ObjectCondition } from '#shared/domain/dhkp/list-states.ts';

type Named = { id: string; name: string };

/** The decisions of the office about an object, while they are being edited. Areas and people keep their name to be shown. */
export type OfficeValues = {
  condition: ObjectCondition;
  note: string;
  handed_out_on: string | null;
  handed_out_to: string;
  area: Named | null;
  collector: Named | null;
};
export type OfficeField = keyof OfficeValues;

export const officeFieldLabels: Record<OfficeField, string> = {
  condition: 'Keadaan',
  note: 'Catatan',
  handed_out_on: 'SPPT diserahkan',
  handed_out_to: 'Penerima SPPT',
  area: 'Wilayah',
  collector: 'Kolektor',
};
export const OFFICE_FIELDS = Object.keys(officeFieldLabels) as OfficeField[];

/** The area of the values is the object's own: one that follows from the block is no decision about it. */
export function officeValuesOf(assessment: Assessment): OfficeValues {
  const { own_area_id: ownAreaId, area } = assessment;
  return {
    condition: assessment.condition,
    note: assessment.note ?? '',
    handed_out_on: assessment.handed_out_on,
    handed_out_to: assessment.handed_out_to ?? '',
    area: ownAreaId === null ? null : { id: ownAreaId, name: area?.id === ownAreaId ? area.path : ownAreaId },
    collector: assessment.collector,
  };
}

export function officeChangesOf(values: OfficeValues): OfficeChanges {
  const { area, collector, note, handed_out_to: receiver, ...others } = values;
  return {
    ...others,
    note: note.trim() || null,
    handed_out_to: receiver.trim() || null,
    area_id: area?.id ?? null,
    collector_id: collector?.id ?? null,
  };
}

function comparable(values: OfficeValues, field: OfficeField): string | null {
  const value = values[field];
  if (value === null) return null;
  return typeof value === 'string' ? value.trim() : value.id;
}

export const sameOfficeField = (one: OfficeValues, other: OfficeValues, field: OfficeField): boolean =>
  comparable(one, field) === comparable(other, field);

/** A value in words; '(kosong)' where there is none. */
export function officeValueText(values: OfficeValues, field: OfficeField): string {
  const value = values[field];
  if (value === null || value === '') return '(kosong)';
  if (typeof value !== 'string') return value.name;
  if (field === 'condition') return conditionLabels[values.condition];
  return field === 'handed_out_on' ? showDate(value) : value;
}

/**
 * Merges two edits of one object. A field that only the other edit changed takes its stored value; what was typed here stays.
 * @param base what this form began from
 */
export function mergeOfficeValues(base: OfficeValues, typed: OfficeValues, stored: OfficeValues) {
  const untouched = OFFICE_FIELDS.filter((field) => sameOfficeField(typed, base, field));
  const values: OfficeValues = { ...typed, ...Object.fromEntries(untouched.map((field) => [field, stored[field]])) };
  return { values, differing: OFFICE_FIELDS.filter((field) => !sameOfficeField(typed, stored, field)) };
}
