import { Stack } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FormFailure } from '../feedback/form-failure.tsx';
import { FormSection } from './form-section.tsx';
import { SaveButton } from './save-button.tsx';
import type { FormState } from './use-saved-form.ts';
import classes from './form-section.module.css';

type Props = {
  /** The state of `useSavedForm`. */
  state: FormState;
  /** The accessible name of the form. */
  label: string;
  title: string;
  text?: string;
  /** The button that saves; its accessible name has the English word, too. */
  save: { label: string; name: string; icon: TablerIcon };
  children: ReactNode;
};

/** A section of a page that is saved by itself and stays open. */
export function SectionForm({ state, label, title, text, save, children }: Props) {
  const { icon: Icon } = save;
  return (
    <form noValidate onSubmit={state.onSubmit} aria-label={label}>
      <FormSection title={title} text={text}>
        <Stack gap="md">
          <FormFailure failure={state.failure} />
          {children}
          <div className={classes['buttons']}>
            <SaveButton busy={state.busy} aria-label={save.name} leftSection={<Icon size={18} aria-hidden />}>
              {save.label}
            </SaveButton>
          </div>
        </Stack>
      </FormSection>
    </form>
  );
}
