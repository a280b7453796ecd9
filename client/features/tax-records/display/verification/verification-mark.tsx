import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconChecks, IconCircleX, IconHourglass, type TablerIcon } from '@tabler/icons-react';
import type { Verification, VerificationState } from '#shared/api/verification.ts';
import classes from './verification-mark.module.css';
import { verificationLabels, verificationText, verificationWords } from './verification-text.ts';

const icons: Record<Exclude<VerificationState, 'none'>, TablerIcon> = {
  pending: IconHourglass,
  matched: IconChecks,
  rejected: IconCircleX,
  outdated: IconAlertTriangle,
};

type Props = {
  verification: Verification;
  /** 'whole': with name and date, or the reason. 'label': the state. 'word': the state in one word, for a narrow column. */
  text?: 'whole' | 'label' | 'word';
};

/** What the office says about a reported payment, as colour, icon and words; nothing where nobody reported one. */
export function VerificationMark({ verification, text = 'whole' }: Props) {
  const { state } = verification;
  if (state === 'none') return null;
  const Icon = icons[state];
  const whole = verificationText(verification);
  return (
    <span
      className={classes['mark']}
      data-verification={state}
      data-text={text}
      title={text === 'whole' ? undefined : whole}
    >
      <Icon size={text === 'whole' ? 16 : 14} stroke={2} aria-hidden />
      {text === 'whole' ? <span>{whole}</span> : null}
      {text === 'label' ? <span>{verificationLabels[state]}</span> : null}
      {text === 'word' ? (
        <>
          <span className={classes['word']} aria-hidden>
            {verificationWords[state]}
          </span>
          {/* A screen reader does not tell where the word is on the page, so it gets the whole label. */}
          <VisuallyHidden>{verificationLabels[state]}</VisuallyHidden>
        </>
      ) : null}
    </span>
  );
}
