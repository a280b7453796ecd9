import { useMergedRef } from '@mantine/hooks';
import type { Ref } from 'react';

/** What Mantine's ScrollArea takes from @floating-ui/react, without the rest of it; see client/vite.config.ts. */
export function useMergeRefs<T>(refs: Ref<T>[]): (node: T | null) => void {
  return useMergedRef(...refs);
}
