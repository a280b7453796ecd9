import { useSearchParams } from 'react-router-dom';
import { parseSharedFilter, sharedFilterParams } from '../../pages/list-filter.ts';
import { type OwnRecordFilter, toDisplayFilter, toOwnPropertyTypeFilter } from './filter-records.ts';

const PARAM_NAMES = { ...sharedFilterParams, display: 'tampilan' } as const satisfies Record<
  keyof OwnRecordFilter,
  string
>;

function parseFilter(params: URLSearchParams): OwnRecordFilter {
  return {
    ...parseSharedFilter(params),
    property_type: toOwnPropertyTypeFilter(params.get(PARAM_NAMES.property_type)),
    display: toDisplayFilter(params.get(PARAM_NAMES.display)),
  };
}

/** The filter of the list, kept in the URL: back, reload and a shared link show the same rows. */
export function useOwnListParams() {
  const [params, setParams] = useSearchParams();

  function setFilter({ status, property_type, year, display }: OwnRecordFilter): void {
    // Drops the page number: a new filter starts on its first page.
    const entries = [
      [PARAM_NAMES.status, status],
      [PARAM_NAMES.property_type, property_type],
      [PARAM_NAMES.year, year],
      [PARAM_NAMES.display, display],
    ] as const;
    setParams(Object.fromEntries(entries.filter(([, value]) => value !== '')));
  }

  return { filter: parseFilter(params), setFilter };
}
