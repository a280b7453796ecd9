import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';

/** The text for a failed load of a tab (R-REPORT-9). Without an answer of the server it is the same for both tabs. */
function loadErrorText(error: unknown, tab: 'summary' | 'property'): string {
  const answered = error instanceof ApiError && (error.kind === 'http' || error.kind === 'format');
  if (!answered) return 'Terjadi kesalahan saat memuat data laporan';
  return messageOf(error, tab === 'summary' ? 'Gagal memuat data ringkasan' : 'Gagal memuat data properti');
}

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
