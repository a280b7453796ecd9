import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconChecks, IconCircleX, IconHourglass, type TablerIcon } from '@tabler/icons-react';
import type { VerificationState } from '#shared/domain/tax-records/verification-states.ts';
import type { RecordScope } from '../../scope.ts';
import classes from './verification-mark.module.css';
import {
  type CheckedRecord,
  verificationInList,
  verificationLabel,
  verificationText,
  verificationWords,
} from './verification-text.ts';

const icons: Record<Exclude<VerificationState, 'none'>, TablerIcon> = {
  pending: IconHourglass,
  matched: IconChecks,
  rejected: IconCircleX,
  outdated: IconAlertTriangle,
};

type Props = {
  record: CheckedRecord;
  /** The words of the owner or those of the office. */
  scope: RecordScope;
  /** 'whole': with name and date, or the reason. 'label': as in a list. 'word': the office's one word, for a narrow column. */
  text?: 'whole' | 'label' | 'word';
};

/** The answer of the office to a reported payment, as colour, icon and words; nothing without a report. */
export function VerificationMark({ record, scope, text = 'whole' }: Props) {
  const { state } = record.verification;
  if (state === 'none') return null;
  // A matched report of a bill that is still owed must not look settled.
  const isOwed = scope === 'own' && state === 'matched' && record.status !== 'lunas';
  const Icon = isOwed ? IconAlertTriangle : icons[state];
  const whole = verificationText(record, scope);
  return (
    <span
      className={classes['mark']}
      data-verification={state}
      data-owed={isOwed || undefined}
      data-text={text}
      title={text === 'whole' ? undefined : whole}
    >
      <Icon size={text === 'whole' ? 16 : 14} stroke={2} aria-hidden />
      {text === 'whole' ? <span>{whole}</span> : null}
      {text === 'label' ? <span>{verificationInList(record, scope)}</span> : null}
      {text === 'word' ? (
        <>
          <span aria-hidden>{verificationWords[state]}</span>
          {/* A screen reader does not tell where the word is on the page, so it gets the whole label. */}
          <VisuallyHidden>{verificationLabel(record, scope)}</VisuallyHidden>
        </>
      ) : null}
    </span>
  );
}
