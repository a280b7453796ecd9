import { FocusTrap, Portal, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './success-overlay.module.css';

/** Covers the screen between a success and the next page. It has the focus, so that screen readers read it. */
export function SuccessOverlay({ title, text }: { title: string; text?: string }) {
  const id = useId();
  return (
    <Portal>
      <FocusTrap active>
        <div
          className={classes['overlay']}
          role="alertdialog"
          aria-modal="true"
          aria-live="assertive"
          aria-labelledby={`${id}-title`}
          aria-describedby={text ? `${id}-text` : undefined}
          tabIndex={-1}
          data-autofocus
        >
          <div className={classes['mark']} aria-hidden>
            <IconCheck size={48} stroke={2.4} />
          </div>
          <Title order={2} id={`${id}-title`}>
            {title}
          </Title>
          {text ? (
            <Text c="dimmed" fz="lg" id={`${id}-text`}>
              {text}
            </Text>
          ) : null}
        </div>
      </FocusTrap>
    </Portal>
  );
}
