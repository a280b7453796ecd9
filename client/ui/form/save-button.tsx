import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { MouseEvent, ReactNode, Ref } from 'react';

type Props = Omit<ButtonProps, 'children' | 'disabled'> & {
  busy: boolean;
  children: ReactNode;
  /** Contains the English word too, as in 'Simpan (Save)' (docs/requirements.md R-UI-7). */
  'aria-label'?: string;
  /** Default 'Menyimpan...' (R-UI-12). */
  busyLabel?: string;
  disabled?: boolean;
  'data-autofocus'?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * The submit button of a form. While busy it shows `busyLabel` and sends nothing, but keeps the focus:
 * disabling a focused button moves keyboard users back to the top of the page.
 */
export function SaveButton({ busy, children, busyLabel = 'Menyimpan...', leftSection, disabled, ...props }: Props) {
  const isDisabled = busy || disabled === true;
  const preventSubmitWhenDisabled = (event: MouseEvent) => {
    if (isDisabled) event.preventDefault();
  };
  return (
    <Button
      {...props}
      type="submit"
      onClick={preventSubmitWhenDisabled}
      {...(isDisabled ? { 'data-disabled': true } : {})}
      aria-disabled={isDisabled || undefined}
      aria-label={busy ? undefined : props['aria-label']}
      leftSection={busy ? <Loader size={16} color="currentColor" aria-hidden /> : leftSection}
    >
      {busy ? busyLabel : children}
    </Button>
  );
}
