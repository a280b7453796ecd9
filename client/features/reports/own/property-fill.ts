import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/labels.ts';

/** The joined small types. */
export const OTHERS = 'Lainnya';

/** The property types and the joined rest. Each keeps its colour and pattern in every report. */
export const SLICE_NAMES: readonly string[] = [...Object.values(propertyTypeLabels), NO_PROPERTY_TYPE_LABEL, OTHERS];

const sliceIndex = (name: string): number => Math.max(SLICE_NAMES.indexOf(name), 0);

export const patternId = (name: string): string => `property-pattern-${sliceIndex(name)}`;

/** The colour of a slice, for its bar; `slices.module.css` defines it. */
export const sliceColor = (name: string): string => `var(--slice-${sliceIndex(name) + 1})`;

/** The fill of a slice and of its mark in the table: a colour and a pattern, so that paper without colour tells them apart. */
export const propertyFill = (name: string): string => `url(#${patternId(name)})`;
