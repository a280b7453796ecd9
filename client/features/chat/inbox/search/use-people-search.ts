import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FoundPerson } from '../../search/message-search.tsx';
import { SEARCH_MIN_LENGTH } from '../../search/use-message-search.ts';
import { chatApi } from '../../session/api.ts';

const PEOPLE_MAX = 5;

/** The users whose name or e-mail contains a text. Where they cannot be loaded, only messages are found. */
export function usePeopleSearch(q: string): readonly FoundPerson[] {
  const search = q.trim();
  const enabled = Array.from(search).length >= SEARCH_MIN_LENGTH;
  const { data } = useQuery({
    queryKey: ['users', 'message-search', search],
    queryFn: async () => {
      const { data: rows } = await chatApi.fetchConversations({ search, limit: PEOPLE_MAX, page: 1 });
      return rows.map(({ other_user: { _id, name, email } }) => ({ id: _id, name, email }));
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  return enabled ? (data ?? []) : [];
}
