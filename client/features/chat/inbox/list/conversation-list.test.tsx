import { act, fireEvent, render, screen } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { buildSummary } from '../../testing/build-chat-data.ts';
import { ConversationList } from './conversation-list.tsx';
import { WaitingTime } from './conversation-row.tsx';

const ROW_PX = 86;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(ROW_PX * 10);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
});
afterEach(() => vi.restoreAllMocks());

const buildSummaries = (count: number) =>
  Array.from({ length: count }, (_, index) => buildSummary(`u${String(index).padStart(4, '0')}`, null));

function renderList(canReadMore = false, { selectedId = null as string | null, rowCount = 5000 } = {}) {
  const onReadMore = vi.fn();
  const onOpen = vi.fn();
  const ui = (summaries: readonly ConversationSummary[]) => (
    <MantineProvider env="test">
      <MemoryRouter>
        <ConversationList
          summaries={summaries}
          currentUserId="a1"
          selectedId={selectedId}
          opensOnArrow
          linkTargetOf={(userId) => ({ search: `?user=${userId}` })}
          onOpen={onOpen}
          canLoadMore={canReadMore}
          onLoadMore={onReadMore}
          handle={{ current: null }}
        />
      </MemoryRouter>
    </MantineProvider>
  );
  const allRows = buildSummaries(rowCount);
  const view = render(ui(allRows));
  const scroller = screen.getByRole('list', { name: 'Percakapan' }).parentElement;
  if (!scroller) throw new Error('the list has no scroller');
  const scrollTo = (px: number) => {
    scroller.scrollTop = px;
    fireEvent.scroll(scroller);
  };
  return {
    allRows,
    onOpen,
    onReadMore,
    scroller,
    scrollTo,
    rerenderRows: (rows: typeof allRows) => view.rerender(ui(rows)),
  };
}

const renderedUserIds = () => screen.getAllByRole('link').map(({ dataset }) => dataset['userId']);

it('draws only the visible rows of 5,000 conversations, and announces how many there are', () => {
  const { scrollTo } = renderList();
  expect(renderedUserIds().length).toBeLessThan(30);
  expect(renderedUserIds()[0]).toBe('u0000');
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('5000');
  scrollTo(ROW_PX * 3000);
  expect(renderedUserIds().length).toBeLessThan(30);
  expect(renderedUserIds()).toContain('u3005');
  expect(renderedUserIds()).not.toContain('u0000');
});

it('requests the next page shortly before the end of the list', () => {
  const { onReadMore, scrollTo } = renderList(true);
  expect(onReadMore).not.toHaveBeenCalled();
  scrollTo(ROW_PX * 4970);
  expect(onReadMore).toHaveBeenCalled();
});

it('requests no page while loading more is not allowed', () => {
  const { onReadMore, scrollTo } = renderList(false);
  scrollTo(ROW_PX * 4970);
  expect(onReadMore).not.toHaveBeenCalled();
});

it('brings the selected row into view once, also when it comes with a later page', () => {
  const { scroller, rerenderRows } = renderList(true, { selectedId: 'u0055', rowCount: 20 });
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(ROW_PX * 100);
  const scrollTo = vi.fn();
  scroller.scrollTo = scrollTo;
  rerenderRows(buildSummaries(100));
  expect(scrollTo).toHaveBeenCalledTimes(1);
  expect(scrollTo.mock.calls[0]?.[0]).toMatchObject({ top: ROW_PX * 56 - ROW_PX * 10 });
  scrollTo.mockClear();
  rerenderRows(buildSummaries(120));
  expect(scrollTo).not.toHaveBeenCalled();
});

it('keeps the visible rows in place when a user further down writes', () => {
  const { allRows, scroller, scrollTo, rerenderRows } = renderList();
  scrollTo(ROW_PX * 100);
  const moved = allRows[4000];
  if (!moved) throw new Error('no row 4000');
  rerenderRows([moved, ...allRows.filter((row) => row !== moved)]);
  expect(scroller.scrollTop).toBe(ROW_PX * 101);
  // A visible row jumps to the top: the other rows stay.
  const seen = allRows[100];
  if (!seen) throw new Error('no row 100');
  rerenderRows([seen, moved, ...allRows.filter((row) => row !== moved && row !== seen)]);
  expect(scroller.scrollTop).toBe(ROW_PX * 101);
});

it('stays at the top when the newest row is visible', () => {
  const { allRows, scroller, rerenderRows } = renderList();
  rerenderRows(allRows.toReversed());
  expect(scroller.scrollTop).toBe(0);
});

it('keeps the focused row in the page while it is scrolled out of view', () => {
  const { scrollTo, onOpen } = renderList();
  const first = screen.getAllByRole('link')[0];
  act(() => first?.focus());
  fireEvent.keyDown(first ?? document, { key: 'ArrowDown' });
  expect(onOpen).toHaveBeenLastCalledWith('u0000', 'arrow');
  scrollTo(ROW_PX * 3000);
  expect(renderedUserIds()).toContain('u0000');
});

it('changes the colour of the waiting time after two and ten minutes without a reload', () => {
  vi.useFakeTimers({ now: Date.parse('2026-08-03T02:00:00.000Z') });
  const view = render(<WaitingTime since="2026-08-03T02:00:00.000Z" />);
  const state = () => [
    view.container.querySelector('[data-level]')?.getAttribute('data-level'),
    view.container.textContent,
  ];
  expect(state()).toEqual(['fresh', '<1 mntMenunggu balasan kurang dari satu menit']);
  act(() => void vi.advanceTimersByTime(119_000));
  expect(state()[0]).toBe('fresh');
  act(() => void vi.advanceTimersByTime(1000));
  expect(state()).toEqual(['warning', '2 mntMenunggu balasan 2 menit']);
  act(() => void vi.advanceTimersByTime(8 * 60_000));
  expect(state()).toEqual(['critical', '10 mntMenunggu balasan 10 menit']);
  view.unmount();
  expect(vi.getTimerCount()).toBe(0);
});
