import type { ChosenCopy, SuggestedCopy } from '#shared/api/tax-records/rollover.ts';
import { isRupiahAmount } from '#shared/domain/money/rupiah.ts';
import { fieldTexts } from '#shared/texts.ts';
import { parseTypedNumber } from '../form/record-form-values.ts';

/** The changes of a user to a suggested copy; an absent field is as suggested. */
export type CopyDraft = {
  amount?: number | string;
  dueDate?: string | null;
  /** The suggested amount is the one of the SPPT. */
  confirmed?: boolean;
  /** This copy is not made. */
  leftOut?: boolean;
};
/** By the id of the source, which has one copy. */
export type CopyDrafts = ReadonlyMap<string, CopyDraft>;

export const amountError = (amount: number | string): string | null => {
  const parsed = parseTypedNumber(amount);
  if (parsed === null) return fieldTexts.amountRequired;
  return isRupiahAmount(parsed) ? null : fieldTexts.amountRange;
};

export const draftAmount = (copy: SuggestedCopy, draft: CopyDraft | undefined): number | string =>
  draft?.amount ?? copy.amount;

export function isAmountTyped(copy: SuggestedCopy, draft: CopyDraft | undefined): boolean {
  return parseTypedNumber(draftAmount(copy, draft)) !== copy.amount;
}

/** Null while nothing was changed: then the server makes all copies, also those that this page has not loaded. */
export function chosenCopies(copies: readonly SuggestedCopy[], drafts: CopyDrafts): ChosenCopy[] | null {
  const isUntouched = copies.every((copy) => {
    const draft = drafts.get(copy.source_id);
    if (!draft) return true;
    const { dueDate = copy.due_date, confirmed = false, leftOut = false } = draft;
    return !isAmountTyped(copy, draft) && dueDate === copy.due_date && !confirmed && !leftOut;
  });
  if (isUntouched) return null;
  return copies.flatMap((copy) => {
    const draft = drafts.get(copy.source_id);
    if (draft?.leftOut) return [];
    const amount = parseTypedNumber(draftAmount(copy, draft)) ?? 0;
    const dueDate = draft?.dueDate === undefined ? copy.due_date : draft.dueDate;
    return [
      { source_id: copy.source_id, amount, due_date: dueDate, confirmed: draft?.confirmed ?? false, previewed: true },
    ];
  });
}

/** The copies that will be made, and their total in rupiah; an amount that is no number counts as 0. */
export function totalOf(copies: readonly SuggestedCopy[], drafts: CopyDrafts): { count: number; amount: number } {
  const made = copies.filter(({ source_id: id }) => !drafts.get(id)?.leftOut);
  const amounts = made.map((copy) => parseTypedNumber(draftAmount(copy, drafts.get(copy.source_id))) ?? 0);
  // In sen, so that the sum is exact.
  const sen = amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  return { count: made.length, amount: sen / 100 };
}

/** The index of the first copy whose amount cannot be stored; -1 when there is none. */
export function firstWrong(copies: readonly SuggestedCopy[], drafts: CopyDrafts): number {
  return copies.findIndex((copy) => {
    const draft = drafts.get(copy.source_id);
    return !draft?.leftOut && amountError(draftAmount(copy, draft)) !== null;
  });
}
