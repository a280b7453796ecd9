import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { hintOf } from '#client/lib/api-error.ts';
import { loadErrorText } from './api.ts';

/** Takes the place of a tab's content when its load failed. */
export function ReportLoadError({ query, tab }: { query: UseQueryResult; tab: 'summary' | 'property' }) {
  async function retry(): Promise<void> {
    const panel = document.activeElement?.closest('[role="tabpanel"]');
    const { isSuccess } = await query.refetch();
    // The pressed button no longer exists, so the focus moves to the tab.
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
