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
    // The same text has the same id, so that repeated clicks show one toast.
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

/** Toasts, which close by themselves (docs/requirements.md R-UI-9). */
export const notify = {
  success: (message: string) => show('success', message),
  error: (message: string, hint?: string) => show('error', message, hint),
  warning: (message: string) => show('warning', message),
  info: (message: string) => show('info', message),
  /** Reports a failed call: the server's message or `fallback`, and what to do when the connection failed (R-UI-10). */
  failure: (error: unknown, fallback: string) => show('error', messageOf(error, fallback), hintOf(error)),
};
