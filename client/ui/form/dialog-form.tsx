import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { FormFailure } from '../feedback/form-failure.tsx';
import { SaveButton } from './save-button.tsx';
import type { FormState } from './use-saved-form.ts';

type Props = {
  /** The state of `useSentForm`. */
  state: FormState;
  /** The subject of the form, above its failure. */
  intro?: ReactNode;
  /** The button that sends. */
  send: Omit<ComponentProps<typeof SaveButton>, 'busy' | 'children'> & { label: string };
  /** The button that closes; it says 'Batal' unless it gets another text. */
  cancel?: { label?: string; 'aria-label'?: string; 'data-autofocus'?: boolean };
  onCancel: () => void;
  children?: ReactNode;
};

/** The content of a dialog that sends something: text, failure, fields, and the two buttons. */
export function DialogForm({ state: { failure, busy, onSubmit }, intro, send, cancel, onCancel, children }: Props) {
  const { label, ...sendProps } = send;
  const { label: cancelLabel = 'Batal', ...cancelProps } = cancel ?? {};
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        {intro}
        <FormFailure failure={failure} />
        {children}
        <Group justify="flex-end" gap="sm" className="dialog-actions">
          <Button variant="default" onClick={onCancel} {...cancelProps}>
            {cancelLabel}
          </Button>
          <SaveButton busy={busy} {...sendProps}>
            {label}
          </SaveButton>
        </Group>
      </Stack>
    </form>
  );
}
