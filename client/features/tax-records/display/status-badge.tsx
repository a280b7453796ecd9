import { IconAlertCircle, IconCircleCheck, IconClock, IconHelpCircle } from '@tabler/icons-react';
import { statusLabels, UNKNOWN_STATUS_LABEL } from '#shared/labels.ts';
import classes from './status-badge.module.css';

const icons = { lunas: IconCircleCheck, belum_lunas: IconAlertCircle, proses: IconClock } as const;

function isStatus(status: string): status is keyof typeof statusLabels {
  return Object.hasOwn(statusLabels, status);
}

/** The status as colour, text and icon, so that it is clear without seeing the colour. */
export function StatusBadge({ status }: { status: string | null | undefined }) {
  const known = status && isStatus(status) ? status : null;
  const Icon = known ? icons[known] : IconHelpCircle;
  return (
    <span className={`${classes['badge']} ${classes[known ?? 'unknown']}`}>
      <Icon size={15} stroke={2.2} aria-hidden />
      {known ? statusLabels[known] : UNKNOWN_STATUS_LABEL}
    </span>
  );
}
