import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/texts.ts';

const KNOWN = [...Object.values(propertyTypeLabels), NO_PROPERTY_TYPE_LABEL] as const;

/** A type keeps its colour whatever else is in the report; the values stand in property-panel.module.css. */
export function colorOf(property: string): string {
  const place = KNOWN.findIndex((label) => label === property);
  return `var(--slice-${place === -1 ? KNOWN.length : place + 1})`;
}
