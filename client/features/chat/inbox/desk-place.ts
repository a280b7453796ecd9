import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { isRecord } from '#client/lib/is-record.ts';
import type { ListFilter } from '../session/conversation-list.ts';

type Only = ListFilter['only'];

/** Where somebody is at the desk; it stands in the address, so that reload, back and a shared link lead there again. */
export type DeskPlace = { userId: string | null; only: Only };

const USER = 'user';
const SHOW = 'show';

function onlyOf(value: string | null): Only {
  return value === 'unread' || value === 'unanswered' ? value : 'all';
}

export function readPlace(params: URLSearchParams): DeskPlace {
  return { userId: params.get(USER) || null, only: onlyOf(params.get(SHOW)) };
}

/** The place as the search part of an address: '?user=…&show=unread', '' for the plain desk. */
export function searchOf({ userId, only }: DeskPlace): string {
  const params = new URLSearchParams({
    ...(userId === null ? {} : { [USER]: userId }),
    ...(only === 'all' ? {} : { [SHOW]: only }),
  }).toString();
  return params === '' ? '' : `?${params}`;
}

/** `fromList`: the step before this one in the browser's history is the list. */
type Trace = { fromList: boolean };

function readTrace(state: unknown): Trace {
  return { fromList: isRecord(state) && state['fromList'] === true };
}

export function useDeskPlace() {
  const [params] = useSearchParams();
  const trace = readTrace(useLocation().state);
  const navigate = useNavigate();
  const place = readPlace(params);

  function go(next: DeskPlace, options: { replace: boolean; state?: Trace }): void {
    void navigate({ search: searchOf(next) }, { ...options, preventScrollReset: true });
  }

  return {
    ...place,
    /** `step`: walking along the list with the keyboard leaves one entry in the history, not one for each chat. */
    open(userId: string, { step = false } = {}): void {
      if (userId === place.userId) return;
      const fromList = place.userId === null;
      const replace = step && !fromList;
      go({ ...place, userId }, { replace, state: replace ? trace : { fromList } });
    },
    /** Back to the list: by the browser's own way back where that leads there. */
    close(): void {
      if (trace.fromList) void navigate(-1);
      else go({ ...place, userId: null }, { replace: true });
    },
    /** The list behind this step still has the old filter, so the way back no longer leads there. */
    show: (only: Only): void => go({ ...place, only }, { replace: true }),
  };
}
