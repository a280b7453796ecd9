import { choicesOf } from '#client/ui/list/filter/filter-fields.tsx';
import { propertyTypeLabels, statusLabels } from '#shared/labels.ts';

export const statusChoices = choicesOf(statusLabels);
export const propertyTypeChoices = choicesOf(propertyTypeLabels);

/** Years of a filter, newest first, together with the chosen one. */
export function filterYears(years: readonly number[], chosen: string): string[] {
  const texts = new Set([...years.map(String), ...(chosen === '' ? [] : [chosen])]);
  return [...texts].toSorted((a, b) => Number(b) - Number(a));
}
export const yearChoices = (years: readonly string[]) => years.map((year) => ({ value: year, label: year }));
