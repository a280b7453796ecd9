import { VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import { type Delivery, deliveryLabels } from './delivery.ts';
import classes from './message-bubble.module.css';

const icons = {
  waiting: IconClock,
  stored: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
} as const;

/** Clock, one tick, two ticks, two coloured ticks: the signs that people know from their other chats. */
export function Ticks({ delivery }: { delivery: Delivery }) {
  const Icon = icons[delivery];
  return (
    <span className={classes['ticks']} data-delivery={delivery}>
      <Icon size={delivery === 'waiting' ? 13 : 16} stroke={2.2} aria-hidden />
      <VisuallyHidden>{deliveryLabels[delivery]}</VisuallyHidden>
    </span>
  );
}
