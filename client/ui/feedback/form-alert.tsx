import { Alert, Text } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';

type Props = { kind?: 'error' | 'warning' | 'info'; message: string; hint?: string | undefined };

const kindStyles = {
  error: { color: 'red', Icon: IconAlertCircle, role: 'alert' },
  warning: { color: 'yellow', Icon: IconAlertTriangle, role: 'alert' },
  info: { color: 'laut', Icon: IconInfoCircle, role: 'status' },
} as const;

/** A message above a form or list that stays until it no longer applies. */
export function FormAlert({ kind = 'error', message, hint }: Props) {
  const { color, Icon, role } = kindStyles[kind];
  return (
    <Alert color={color} variant="light" role={role} icon={<Icon size={20} aria-hidden />}>
      <Text fw={500}>{message}</Text>
      {hint ? <Text fz="sm">{hint}</Text> : null}
    </Alert>
  );
}
