import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { hintOf } from '#client/lib/api-error.ts';
import { loadErrorText } from './api.ts';

/** Stands in a tab whose data did not come. */
export function ReportLoadError({ query, tab }: { query: UseQueryResult; tab: 'summary' | 'property' }) {
  async function retry(): Promise<void> {
    const panel = document.activeElement?.closest('[role="tabpanel"]');
    const { isSuccess } = await query.refetch();
    // The button that was pressed is gone; keyboard users go on from the tab whose data has come.
    if (isSuccess && panel) document.getElementById(panel.getAttribute('aria-labelledby') ?? '')?.focus();
  }

  return (
    <ErrorState
      title={loadErrorText(query.error, tab)}
      description={hintOf(query.error)}
      onRetry={() => void retry()}
      retrying={query.isFetching}
    />
  );
}
