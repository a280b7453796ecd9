import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useAtomValue } from 'jotai';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { readDraft } from '../../session/drafts.ts';
import { liveAtom } from '../../session/state.ts';
import { ConversationRow } from './conversation-row.tsx';
import classes from './list.module.css';
import { targetOf } from './list-keys.ts';
import { typingText } from './typing-text.ts';
import { useRowAnchor } from './use-row-anchor.ts';

const ROW_REM = 5.375;
const OVERSCAN = 6;
/** So early that the next page is there before the end comes into view. */
const READ_MORE_ROWS = 25;

export type ListHandle = {
  /** Brings a conversation into view and gives its row the focus; without one the first row. */
  focus: (userId: string | null) => void;
  /** Who stands above (-1) or below (1) the chosen one, if anybody does; from nobody, the first. */
  neighbour: (step: -1 | 1) => string | undefined;
};

type Props = {
  summaries: readonly ConversationSummary[];
  selfId: string;
  selectedId: string | null;
  /** Whether arrow keys open what they reach, or only go there. */
  opensOnArrow: boolean;
  toOf: (userId: string) => { search: string };
  onOpen: (userId: string, how: 'press' | 'arrow') => void;
  canReadMore: boolean;
  onReadMore: () => void;
  /** Below the last row: loading, failure. */
  children?: ReactNode;
  handle: Ref<ListHandle>;
};

function rowHeightPx(): number {
  return ROW_REM * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}

/** The conversations; only those in view exist in the page, however many there are. */
export function ConversationList({
  summaries,
  selfId,
  selectedId,
  opensOnArrow,
  toOf,
  onOpen,
  canReadMore,
  onReadMore,
  children,
  handle,
}: Props) {
  // The virtualizer is one object that changes inside; what the compiler remembers of it would stand still.
  'use no memo';
  const scroller = useRef<HTMLDivElement>(null);
  const live = useAtomValue(liveAtom);
  const [rowPx] = useState(rowHeightPx);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const wantsFocus = useRef<string | null>(null);

  const order = useMemo(() => summaries.map(({ other_user }) => other_user._id), [summaries]);
  const current = focusedId !== null && order.includes(focusedId) ? focusedId : selectedId;
  const currentIndex = current === null ? -1 : order.indexOf(current);

  const virtualizer = useVirtualizer({
    count: summaries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => order[index] ?? index,
    overscan: OVERSCAN,
    // The row that has the focus stays in the page, or the focus would be lost with it.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return focusedId === null || currentIndex === -1 ? indexes : [...new Set([...indexes, currentIndex])];
    },
    useFlushSync: false,
  });
  const top = () => scroller.current?.scrollTop ?? 0;
  const moveBy = (px: number) => {
    if (scroller.current) scroller.current.scrollTop += px;
  };
  useRowAnchor({ top, moveBy }, order, rowPx);

  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (canReadMore && lastIndex >= summaries.length - READ_MORE_ROWS) onReadMore();
  }, [lastIndex, summaries.length, canReadMore, onReadMore]);

  function focusRow(userId: string): void {
    const index = order.indexOf(userId);
    if (index === -1) return;
    wantsFocus.current = userId;
    setFocusedId(userId);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  }

  // The row may only now have come into the page.
  useLayoutEffect(() => {
    if (wantsFocus.current === null) return;
    const rows = scroller.current?.querySelectorAll<HTMLElement>('[data-user-id]') ?? [];
    const row = [...rows].find(({ dataset }) => dataset['userId'] === wantsFocus.current);
    if (!row) return;
    wantsFocus.current = null;
    row.focus({ preventScroll: true });
  });

  useImperativeHandle(handle, () => ({
    focus: (userId) => {
      const target = userId ?? order[0];
      if (target !== undefined) focusRow(target);
    },
    neighbour: (step) => (selectedId === null ? order[0] : order[order.indexOf(selectedId) + step]),
  }));

  // Chosen from elsewhere, as by a notification or from the message field.
  useEffect(() => {
    const index = selectedId === null ? -1 : order.indexOf(selectedId);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
    // Not when others move: then what is being looked at stays.
    // eslint-disable-next-line react/exhaustive-deps
  }, [selectedId]);

  function onKeyDown(event: KeyboardEvent): void {
    const target = targetOf(event, currentIndex, order.length);
    const userId = target === null ? undefined : order[target];
    if (userId === undefined) return;
    event.preventDefault();
    focusRow(userId);
    if (opensOnArrow) onOpen(userId, 'arrow');
  }

  function onBlur(event: FocusEvent): void {
    if (!scroller.current?.contains(event.relatedTarget)) setFocusedId(null);
  }

  const tabbableId = currentIndex === -1 ? order[0] : current;
  return (
    <div ref={scroller} className={classes['scroller']}>
      <ul className={classes['rows']} style={{ height: virtualizer.getTotalSize() }} aria-label="Percakapan">
        {items.map(({ index, start, key }) => {
          const summary = summaries[index];
          if (!summary) return null;
          const userId = summary.other_user._id;
          const selected = userId === selectedId;
          return (
            <li
              key={key}
              className={classes['place']}
              style={{ height: rowPx, transform: `translateY(${start}px)` }}
              aria-setsize={summaries.length}
              aria-posinset={index + 1}
            >
              <ConversationRow
                summary={summary}
                selfId={selfId}
                to={toOf(userId)}
                selected={selected}
                tabbable={userId === tabbableId}
                online={live.onlineUserIds.has(userId)}
                typing={typingText(live.typing[userId], userId)}
                draft={selected ? '' : readDraft(selfId, userId)}
                onOpen={(id) => onOpen(id, 'press')}
                onKeyDown={onKeyDown}
                onBlur={onBlur}
              />
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
}
