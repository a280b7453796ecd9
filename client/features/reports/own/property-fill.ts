import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/labels.ts';

/** The joined small types. */
export const OTHERS = 'Lainnya';

/** The property types and the joined rest. Each keeps its colour and pattern in every report. */
export const SLICE_NAMES: readonly string[] = [...Object.values(propertyTypeLabels), NO_PROPERTY_TYPE_LABEL, OTHERS];

export const patternId = (name: string): string => `property-pattern-${Math.max(SLICE_NAMES.indexOf(name), 0)}`;

/** The fill of a slice and of its mark in the table: a colour and a pattern, so that paper without colour tells them apart. */
export const propertyFill = (name: string): string => `url(#${patternId(name)})`;
