import { fieldTexts } from '#shared/texts.ts';

const requiredTexts: Record<string, string> = {
  name: fieldTexts.nameRequired,
  address: fieldTexts.addressRequired,
  spt_number: fieldTexts.sptRequired,
  year: fieldTexts.yearRequired,
  amount: fieldTexts.amountRequired,
};

/**
 * Replaces the warning for the whole form by a text of each field (R-REC-26).
 * @param warning the text that the schema puts into every missing field
 */
export function withRequiredRecordTexts(errors: Record<string, string>, warning: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [field, text === warning ? (requiredTexts[field] ?? text) : text]),
  );
}

/** Whether a required field is missing; other errors do not count. */
export function hasMissingRecordFields(errors: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(errors).some(([field, text]) => text === requiredTexts[field]);
}
