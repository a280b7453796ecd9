import { Button, Loader, Tooltip, VisuallyHidden } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';

type Props = {
  icon: TablerIcon;
  children: ReactNode;
  /** Why it cannot be pressed now, or null. */
  reason: string | null;
  busy?: boolean;
  onPress: () => void;
};

/**
 * A button that says why it is off. It stays focusable then, and while it works: one that is really disabled cannot tell its reason to
 * keyboard users, and throws them back to the top of the page.
 */
export function ActionButton({ icon: Icon, children, reason, busy = false, onPress }: Props) {
  const reasonId = useId();
  const off = busy || reason !== null;
  return (
    <Tooltip
      label={reason}
      disabled={reason === null}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={260}
    >
      <Button
        variant="default"
        data-disabled={off || undefined}
        aria-disabled={off || undefined}
        aria-busy={busy || undefined}
        aria-describedby={reason === null ? undefined : reasonId}
        leftSection={busy ? <Loader size={20} color="currentColor" aria-hidden /> : <Icon size={20} aria-hidden />}
        onClick={() => {
          if (!off) onPress();
        }}
      >
        {children}
        {reason === null ? null : (
          <VisuallyHidden id={reasonId} aria-hidden>
            {reason}
          </VisuallyHidden>
        )}
      </Button>
    </Tooltip>
  );
}
