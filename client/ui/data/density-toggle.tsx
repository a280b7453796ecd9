import { ActionIcon } from '@mantine/core';
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from '@tabler/icons-react';
import type { Density } from './density.ts';

type Props = { density: Density; onChange: (density: Density) => void };

/** Switches between comfortable and compact rows; pressed while they are compact. */
export function DensityToggle({ density, onChange }: Props) {
  const isCompact = density === 'compact';
  const Icon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <ActionIcon
      variant="default"
      aria-label="Baris rapat (Compact)"
      title={isCompact ? 'Baris rapat: aktif' : 'Baris rapat'}
      aria-pressed={isCompact}
      onClick={() => onChange(isCompact ? 'comfortable' : 'compact')}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
}
