import { ActionIcon } from '@mantine/core';
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from '@tabler/icons-react';
import { useState } from 'react';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';

export type Density = 'comfortable' | 'compact';
type DensityState = { density: Density; choose: (density: Density) => void };

const DENSITY_KEY = 'list_density';

/** The density of the rows of all lists. The choice is stored in the browser (R-UI-20). */
export function useDensity(): DensityState {
  const [density, setDensity] = useState<Density>(() =>
    readStored(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable',
  );

  function choose(next: Density): void {
    writeStored(DENSITY_KEY, next);
    setDensity(next);
  }

  return { density, choose };
}

/** Switches between comfortable and compact rows; pressed while they are compact. */
export function DensityToggle({ density, choose }: DensityState) {
  const isCompact = density === 'compact';
  const Icon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <ActionIcon
      variant="default"
      aria-label="Baris rapat (Compact)"
      title={isCompact ? 'Baris rapat: aktif' : 'Baris rapat'}
      aria-pressed={isCompact}
      onClick={() => choose(isCompact ? 'comfortable' : 'compact')}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  );
}
