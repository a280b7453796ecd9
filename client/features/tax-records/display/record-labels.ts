import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels, UNKNOWN_STATUS_LABEL } from '#shared/texts.ts';

/** Words for values that come from outside and so may be any text. */

export function statusLabel(status: string): string {
  return Object.hasOwn(statusLabels, status) ? statusLabels[status as keyof typeof statusLabels] : UNKNOWN_STATUS_LABEL;
}

export function propertyLabel(type: string | null): string {
  if (type === null || !Object.hasOwn(propertyTypeLabels, type)) return NO_PROPERTY_TYPE_LABEL;
  return propertyTypeLabels[type as keyof typeof propertyTypeLabels];
}
