import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { isPlainObject } from '#client/lib/is-plain-object.ts';
import type { ListFilter } from '../session/list-order.ts';
import { COLUMNS_MAX } from '#shared/limits.ts';

type OnlyFilter = ListFilter['only'];

/** The state of the inbox in the URL, so that reload, back and a shared link lead to the same view. */
export type InboxParams = {
  /** The open conversations from left to right. */
  userIds: readonly string[];
  only: OnlyFilter;
};

const USER_PARAM = 'user';
const BESIDE_PARAM = 'beside';
const SHOW_PARAM = 'show';

const onlyFilters: readonly OnlyFilter[] = ['all', 'waiting', 'unread', 'snoozed', 'mine'];

function parseOnlyFilter(value: string | null): OnlyFilter {
  // The name in links from before there were other states.
  if (value === 'unanswered') return 'waiting';
  return onlyFilters.find((only) => only === value) ?? 'all';
}

/** What is listed twice or too much is left out: a link can be edited by hand. */
function normalizeUserIds(userIds: readonly string[]): readonly string[] {
  return [...new Set(userIds)].filter((id) => id !== '').slice(0, COLUMNS_MAX);
}

export function readInboxParams(params: URLSearchParams): InboxParams {
  const beside = params.get(BESIDE_PARAM)?.split(',') ?? [];
  return {
    userIds: normalizeUserIds([params.get(USER_PARAM) ?? '', ...beside]),
    only: parseOnlyFilter(params.get(SHOW_PARAM)),
  };
}

/** The search part of the URL: '?user=…&beside=…,…&show=unread', '' for the inbox without parameters. */
export function inboxSearch({ userIds: [first, ...beside], only }: InboxParams): string {
  const params = new URLSearchParams({
    ...(first === undefined ? {} : { [USER_PARAM]: first }),
    ...(beside.length === 0 ? {} : { [BESIDE_PARAM]: beside.join(',') }),
    ...(only === 'all' ? {} : { [SHOW_PARAM]: only }),
  }).toString();
  // A comma needs no escape there, and without one the address can be read.
  return params === '' ? '' : `?${params.replaceAll('%2C', ',')}`;
}

/** `fromList`: the previous entry of the browser's history is the list. */
type NavigationState = { fromList: boolean };

function readNavigationState(state: unknown): NavigationState {
  return { fromList: isPlainObject(state) && state['fromList'] === true };
}

export function useInboxParams() {
  const [params] = useSearchParams();
  const navigationState = readNavigationState(useLocation().state);
  const navigate = useNavigate();
  const current = readInboxParams(params);

  function navigateTo(next: InboxParams, options: { replace: boolean; state?: NavigationState }): void {
    void navigate({ search: inboxSearch(next) }, { ...options, preventScrollReset: true });
  }

  return {
    ...current,
    /** `step`: moving along the list with the keyboard adds one history entry, not one for each conversation. */
    setUserIds(userIds: readonly string[], { step: byKeyboard = false } = {}): void {
      const isSame = userIds.length === current.userIds.length && userIds.every((id, i) => id === current.userIds[i]);
      if (isSame) return;
      const fromList = current.userIds.length === 0;
      const replace = byKeyboard && !fromList;
      navigateTo({ ...current, userIds }, { replace, state: replace ? navigationState : { fromList } });
    },
    /** Back to the list, by the browser's history if the list is its previous entry. */
    close(): void {
      if (navigationState.fromList) void navigate(-1);
      else navigateTo({ ...current, userIds: [] }, { replace: true });
    },
    /** The previous history entry still has the old filter, so going back would not lead here. */
    setFilter: (only: OnlyFilter): void => navigateTo({ ...current, only }, { replace: true }),
  };
}
