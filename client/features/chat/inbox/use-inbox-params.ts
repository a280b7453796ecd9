import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { isPlainObject } from '#client/lib/is-plain-object.ts';
import type { ListFilter } from '../session/conversation-list-state.ts';

type OnlyFilter = ListFilter['only'];

/** Where somebody is at the desk; it stands in the address, so that reload, back and a shared link lead there again. */
export type InboxParams = { userId: string | null; only: OnlyFilter };

const USER_PARAM = 'user';
const SHOW_PARAM = 'show';

function parseOnlyFilter(value: string | null): OnlyFilter {
  return value === 'unread' || value === 'unanswered' ? value : 'all';
}

export function readInboxParams(params: URLSearchParams): InboxParams {
  return { userId: params.get(USER_PARAM) || null, only: parseOnlyFilter(params.get(SHOW_PARAM)) };
}

/** The place as the search part of an address: '?user=…&show=unread', '' for the plain desk. */
export function inboxSearch({ userId, only }: InboxParams): string {
  const params = new URLSearchParams({
    ...(userId === null ? {} : { [USER_PARAM]: userId }),
    ...(only === 'all' ? {} : { [SHOW_PARAM]: only }),
  }).toString();
  return params === '' ? '' : `?${params}`;
}

/** `fromList`: the step before this one in the browser's history is the list. */
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
    /** `step`: walking along the list with the keyboard leaves one entry in the history, not one for each chat. */
    open(userId: string, { step: byKeyboard = false } = {}): void {
      if (userId === current.userId) return;
      const fromList = current.userId === null;
      const replace = byKeyboard && !fromList;
      navigateTo({ ...current, userId }, { replace, state: replace ? navigationState : { fromList } });
    },
    /** Back to the list: by the browser's own way back where that leads there. */
    close(): void {
      if (navigationState.fromList) void navigate(-1);
      else navigateTo({ ...current, userId: null }, { replace: true });
    },
    /** The list behind this step still has the old filter, so the way back no longer leads there. */
    setFilter: (only: OnlyFilter): void => navigateTo({ ...current, only }, { replace: true }),
  };
}
