import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { type Failure, FormFailure } from '#client/ui/feedback/form-failure.tsx';
import { cardTexts } from '#shared/texts.ts';

type Props = {
  failure: Failure | null;
  /** The next step after codes or a PIN that are wrong. */
  afterWrong: string;
};

/** Says why a card opens nothing, and the next step. */
export function CardFailure({ failure, afterWrong }: Props) {
  if (!failure) return null;
  const isBlocked = failure.message === cardTexts.blocked;
  return (
    <>
      <FormFailure failure={{ ...failure, hint: failure.message === cardTexts.wrong ? afterWrong : failure.hint }} />
      {isBlocked ? <OfficeContact /> : null}
    </>
  );
}
