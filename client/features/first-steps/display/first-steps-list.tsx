import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { FirstStep } from '#shared/domain/office/first-steps.ts';
import { firstStepTexts } from './first-step-texts.ts';
import classes from './first-steps-list.module.css';
import type { useFirstSteps } from './use-first-steps.ts';

/** 'Langkah pertama': what a new office has not done yet, each with a link to where it is done (R-OFFICE-13). */
export function FirstStepsList({ open, done, dismiss, busy }: ReturnType<typeof useFirstSteps>) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className={classes['section']}>
      <div className={classes['head']}>
        <Title order={3} fz="md" id={headingId}>
          Langkah pertama
        </Title>
        {open.length > 1 ? (
          <Button variant="subtle" size="compact-sm" disabled={busy} onClick={() => void dismiss(open)}>
            Singkirkan semua
          </Button>
        ) : null}
      </div>
      <ul className={classes['steps']}>
        {open.map((step) => (
          <Step key={step} step={step} busy={busy} onDismiss={() => void dismiss([step])} />
        ))}
      </ul>
      {done.length > 0 ? (
        <Text c="dimmed" fz="sm" mt="xs" className={classes['done'] ?? ''}>
          <IconCircleCheck size={18} aria-hidden /> Selesai:{' '}
          {done.map((step) => firstStepTexts[step].label).join(' · ')}
        </Text>
      ) : null}
    </section>
  );
}

function Step({ step, busy, onDismiss }: { step: FirstStep; busy: boolean; onDismiss: () => void }) {
  const { label, detail, to } = firstStepTexts[step];
  return (
    <li className={classes['step']} data-step={step}>
      <Link to={to} className={classes['link']}>
        <span className={classes['words']}>
          <span className={classes['label']}>{label}</span>
          <span className={classes['detail']}>{detail}</span>
        </span>
        <IconChevronRight size={18} aria-hidden className={classes['arrow']} />
      </Link>
      <Button variant="subtle" color="gray" size="compact-sm" disabled={busy} onClick={onDismiss}>
        Singkirkan<VisuallyHidden>: {label}</VisuallyHidden>
      </Button>
    </li>
  );
}
