import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { isPlainObject } from '#client/lib/is-plain-object.ts';
import type { ListFilter } from '../session/list-order.ts';

type OnlyFilter = ListFilter['only'];

/** The state of the inbox in the URL, so that reload, back and a shared link lead to the same view. */
export type InboxParams = { userId: string | null; only: OnlyFilter };

const USER_PARAM = 'user';
const SHOW_PARAM = 'show';

const onlyFilters: readonly OnlyFilter[] = ['all', 'waiting', 'unread', 'snoozed', 'mine'];

function parseOnlyFilter(value: string | null): OnlyFilter {
  // The name in links from before there were other states.
  if (value === 'unanswered') return 'waiting';
  return onlyFilters.find((only) => only === value) ?? 'all';
}

export function readInboxParams(params: URLSearchParams): InboxParams {
  return { userId: params.get(USER_PARAM) || null, only: parseOnlyFilter(params.get(SHOW_PARAM)) };
}

/** The search part of the URL: '?user=…&show=unread', '' for the inbox without parameters. */
export function inboxSearch({ userId, only }: InboxParams): string {
  const params = new URLSearchParams({
    ...(userId === null ? {} : { [USER_PARAM]: userId }),
    ...(only === 'all' ? {} : { [SHOW_PARAM]: only }),
  }).toString();
  return params === '' ? '' : `?${params}`;
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
    open(userId: string, { step: byKeyboard = false } = {}): void {
      if (userId === current.userId) return;
      const fromList = current.userId === null;
      const replace = byKeyboard && !fromList;
      navigateTo({ ...current, userId }, { replace, state: replace ? navigationState : { fromList } });
    },
    /** Back to the list, by the browser's history if the list is its previous entry. */
    close(): void {
      if (navigationState.fromList) void navigate(-1);
      else navigateTo({ ...current, userId: null }, { replace: true });
    },
    /** The previous history entry still has the old filter, so going back would not lead here. */
    setFilter: (only: OnlyFilter): void => navigateTo({ ...current, only }, { replace: true }),
  };
}
