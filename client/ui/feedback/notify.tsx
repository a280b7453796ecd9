import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { TOAST_MS } from '#shared/limits.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';

const kindStyles = {
  success: { color: 'green', Icon: IconCircleCheck, role: 'status' },
  error: { color: 'red', Icon: IconCircleX, role: 'alert' },
  warning: { color: 'yellow', Icon: IconAlertTriangle, role: 'alert' },
  info: { color: 'laut', Icon: IconInfoCircle, role: 'status' },
} as const;

function show(kind: keyof typeof kindStyles, message: string, hint?: string): void {
  const { color, Icon, role } = kindStyles[kind];
  notifications.show({
    // The same words twice are one toast: pressing again and again does not pile them up.
    id: `${kind}:${message}`,
    ...(hint ? { title: message, message: hint } : { message }),
    color,
    role,
    icon: <Icon size={20} aria-hidden />,
    autoClose: TOAST_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Tutup pemberitahuan' },
  });
}

/** Short messages at the top of the screen that close by themselves (specification 2.5). */
export const notify = {
  success: (message: string) => show('success', message),
  error: (message: string, hint?: string) => show('error', message, hint),
  warning: (message: string) => show('warning', message),
  info: (message: string) => show('info', message),
  /** A failed call: the server's message or the fallback of specification 8, and what to do when the connection is at fault. */
  failure: (error: unknown, fallback: string) => show('error', messageOf(error, fallback), hintOf(error)),
};
