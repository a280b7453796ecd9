import { useSearchParams } from 'react-router-dom';
import { propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import { NO_TYPE, type RecordFilter } from './filter-records.ts';

const STATUSES = Object.keys(statusLabels);
const PROPERTY_TYPES = [...Object.keys(propertyTypeLabels), NO_TYPE];

function knownOrAll(known: readonly string[], value: string | null): string {
  return value !== null && known.includes(value) ? value : '';
}

function readFilter(params: URLSearchParams): RecordFilter {
  const year = params.get('tahun') ?? '';
  return {
    status: knownOrAll(STATUSES, params.get('status')),
    propertyType: knownOrAll(PROPERTY_TYPES, params.get('properti')),
    year: /^\d{4}$/.test(year) ? year : '',
    display: params.get('tampilan') === 'tunggakan' ? 'tunggakan' : '',
  };
}

/** The list's filter as the address says, so that back, reload and a shared link show the same; what makes no sense is 'all'. */
export function useListFilter() {
  const [params, setParams] = useSearchParams();

  function setFilter(filter: RecordFilter): void {
    // A new choice begins on its first page, so nothing of the old address is kept.
    const named = {
      status: filter.status,
      properti: filter.propertyType,
      tahun: filter.year,
      tampilan: filter.display,
    };
    setParams(Object.fromEntries(Object.entries(named).filter(([, value]) => value !== '')));
  }

  return { filter: readFilter(params), setFilter };
}
