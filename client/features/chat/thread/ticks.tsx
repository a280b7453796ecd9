import { VisuallyHidden } from '@mantine/core';
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import { type DeliveryState, deliveryStateLabels } from './delivery-state.ts';
import classes from './message-bubble.module.css';

const deliveryIcons = {
  waiting: IconClock,
  stored: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
} as const;

/** Clock, one tick, two ticks, two coloured ticks: the signs that people know from their other chats. */
export function DeliveryTicks({ delivery: deliveryState }: { delivery: DeliveryState }) {
  const Icon = deliveryIcons[deliveryState];
  return (
    <span className={classes['ticks']} data-delivery={deliveryState}>
      <Icon size={deliveryState === 'waiting' ? 13 : 16} stroke={2.2} aria-hidden />
      <VisuallyHidden>{deliveryStateLabels[deliveryState]}</VisuallyHidden>
    </span>
  );
}
