import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';
import { ConfirmHost } from '#client/ui/feedback/confirm-host.tsx';
import { TOAST_EXIT_MS, TOAST_MS } from '#shared/limits.ts';

/** The toasts of `notify` and the questions of `confirm`. */
export function Overlays() {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return (
    <>
      {/* The top has the menu, the headings with their buttons, and the name and the close button of a chat or dialog. */}
      <Notifications
        position={isPhone ? 'bottom-center' : 'bottom-right'}
        autoClose={TOAST_MS}
        transitionDuration={TOAST_EXIT_MS}
        limit={3}
        // The default of 200 px cuts off long texts on a phone.
        notificationMaxHeight="60vh"
        zIndex={1000}
      />
      <ConfirmHost />
    </>
  );
}
