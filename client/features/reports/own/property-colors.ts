import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels } from '#shared/texts.ts';

const PROPERTY_LABELS = [...Object.values(propertyTypeLabels), NO_PROPERTY_TYPE_LABEL] as const;

/** Each property type has a fixed colour, whatever else the report holds. property-panel.module.css defines the values. */
export function propertyColor(property: string): string {
  const index = PROPERTY_LABELS.findIndex((label) => label === property);
  return `var(--slice-${index === -1 ? PROPERTY_LABELS.length : index + 1})`;
}
