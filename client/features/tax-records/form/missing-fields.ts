import { fieldTexts } from '#shared/texts.ts';

const requiredTexts: Record<string, string> = {
  name: fieldTexts.nameRequired,
  address: fieldTexts.addressRequired,
  spt_number: fieldTexts.sptRequired,
  year: fieldTexts.yearRequired,
  amount: fieldTexts.amountRequired,
};

/**
 * Specification 5 has one warning for everything that is missing; it is shown as such, and the fields say what is missing in them.
 * @param warning that one text, as the schema puts it into every field
 */
export function withRequiredRecordTexts(errors: Record<string, string>, warning: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [field, text === warning ? (requiredTexts[field] ?? text) : text]),
  );
}

/** Whether a form lacks something, rather than having something wrong in it. */
export function hasMissingRecordFields(errors: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(errors).some(([field, text]) => text === requiredTexts[field]);
}
