import { useMergedRef } from '@mantine/hooks';
import type { Ref } from 'react';

/** Replaces the one hook that Mantine's ScrollArea imports from @floating-ui/react; see scripts/client-build/small-libraries.ts. */
export function useMergeRefs<T>(refs: Ref<T>[]): (node: T | null) => void {
  return useMergedRef(...refs);
}
