import { Button, Loader, Tooltip, VisuallyHidden } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';

type Props = {
  icon: TablerIcon;
  children: ReactNode;
  /** Why the button is disabled, or null. */
  disabledReason: string | null;
  busy?: boolean;
  onPress: () => void;
};

/**
 * A button that explains why it is disabled. It stays focusable then, and while busy. A truly disabled button
 * cannot show its reason to keyboard users, and it moves them back to the top of the page.
 */
export function ActionButton({ icon: Icon, children, disabledReason, busy = false, onPress }: Props) {
  const reasonId = useId();
  const isDisabled = busy || disabledReason !== null;
  return (
    <Tooltip
      label={disabledReason}
      disabled={disabledReason === null}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={260}
    >
      <Button
        variant="default"
        {...(isDisabled ? { 'data-disabled': true } : {})}
        aria-disabled={isDisabled || undefined}
        aria-busy={busy || undefined}
        aria-describedby={disabledReason === null ? undefined : reasonId}
        leftSection={busy ? <Loader size={20} color="currentColor" aria-hidden /> : <Icon size={20} aria-hidden />}
        onClick={() => {
          if (!isDisabled) onPress();
        }}
      >
        {children}
        {disabledReason === null ? null : (
          <VisuallyHidden id={reasonId} aria-hidden>
            {disabledReason}
          </VisuallyHidden>
        )}
      </Button>
    </Tooltip>
  );
}
