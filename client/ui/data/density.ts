import { useState } from 'react';
import { readStored, writeStored } from '#client/lib/safe-storage.ts';

export type Density = 'comfortable' | 'compact';

const DENSITY_KEY = 'list_density';

/** How close together the rows of a list stand, for all lists. The choice is stored in the browser (R-UI-20). */
export function useDensity() {
  const [density, setDensity] = useState<Density>(() =>
    readStored(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable',
  );

  function choose(next: Density): void {
    writeStored(DENSITY_KEY, next);
    setDensity(next);
  }

  return { density, choose };
}
