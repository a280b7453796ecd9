import { useSearchParams } from 'react-router-dom';
import { propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import { NO_PROPERTY_TYPE, type OwnRecordFilter } from './filter-records.ts';

const STATUSES = Object.keys(statusLabels);
const PROPERTY_TYPES = [...Object.keys(propertyTypeLabels), NO_PROPERTY_TYPE];

function oneOfOrAll(allowed: readonly string[], value: string | null): string {
  return value !== null && allowed.includes(value) ? value : '';
}

function parseFilter(params: URLSearchParams): OwnRecordFilter {
  const year = params.get('tahun') ?? '';
  return {
    status: oneOfOrAll(STATUSES, params.get('status')),
    propertyType: oneOfOrAll(PROPERTY_TYPES, params.get('properti')),
    year: /^\d{4}$/.test(year) ? year : '',
    display: params.get('tampilan') === 'tunggakan' ? 'tunggakan' : '',
  };
}

/** The list's filter as the address says, so that back, reload and a shared link show the same; what makes no sense is 'all'. */
export function useOwnListParams() {
  const [params, setParams] = useSearchParams();

  function setFilter(filter: OwnRecordFilter): void {
    // A new choice begins on its first page, so nothing of the old address is kept.
    const paramValues = {
      status: filter.status,
      properti: filter.propertyType,
      tahun: filter.year,
      tampilan: filter.display,
    };
    setParams(Object.fromEntries(Object.entries(paramValues).filter(([, value]) => value !== '')));
  }

  return { filter: parseFilter(params), setFilter };
}
