import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { bindPageKeys, holdKeys, listenToKeys, useIsOverlayKey } from './page-keys.ts';

const undoes: (() => void)[] = [];
afterEach(() => {
  for (const undo of undoes.splice(0)) undo();
});
const bind = (...args: Parameters<typeof bindPageKeys>): void => void undoes.push(bindPageKeys(...args));

function MenuThatClosesOnEscape() {
  const [isOpen, setOpen] = useState(true);
  return isOpen ? <div role="menu" tabIndex={-1} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)} /> : null;
}

it('gives a key to the newest binding first, and to no other one when that takes it', () => {
  const old = vi.fn();
  bind(old);
  const newest = vi.fn((event: KeyboardEvent) => {
    if (event.key === 'z') event.preventDefault();
  });
  bind(newest);
  fireEvent.keyDown(document.body, { key: 'z' });
  expect([newest, old].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  fireEvent.keyDown(document.body, { key: 'j' });
  expect([newest, old].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
});

it('keeps the keys of a text field from bindings that do not ask for them', () => {
  const [outside, everywhere] = [vi.fn(), vi.fn()];
  bind(outside);
  bind(everywhere, { inFields: true });
  render(
    <>
      <input aria-label="Nama" />
      <input type="checkbox" aria-label="Pilih" />
    </>,
  );
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'x' });
  expect([outside, everywhere].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  fireEvent.keyDown(screen.getByRole('checkbox'), { key: 'x' });
  expect([outside, everywhere].map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
});

it('calls no binding while a menu is open, also for the Escape that closes it', () => {
  const act = vi.fn();
  bind(act, { inFields: true });
  render(<MenuThatClosesOnEscape />);
  fireEvent.keyDown(document.body, { key: 'x' });
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(act).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(act).toHaveBeenCalledOnce();
});

it('calls no binding under a dialog of the browser, and calls it beside one that is no overlay', () => {
  const act = vi.fn();
  bind(act, { inFields: true });
  const { rerender } = render(<dialog open aria-modal />);
  fireEvent.keyDown(document.body, { key: 'x' });
  expect(act).not.toHaveBeenCalled();
  rerender(<dialog open />);
  fireEvent.keyDown(document.body, { key: 'x' });
  expect(act).toHaveBeenCalledOnce();
});

it('leaves an overlay its own Escape, also where a menu in it has had one', () => {
  const answers: boolean[] = [];
  function Panel() {
    const isOverlayKey = useIsOverlayKey();
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- as the chat does on a phone
      <dialog open aria-modal onKeyDown={(event) => answers.push(isOverlayKey(event))}>
        <MenuThatClosesOnEscape />
      </dialog>
    );
  }
  render(<Panel />);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(answers).toEqual([true, false]);
});

it('tells the element around a menu that the Escape was for the menu', () => {
  const answers: boolean[] = [];
  function Panel() {
    const isOverlayKey = useIsOverlayKey();
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- as a panel around a menu does
      <section aria-label="Panel" onKeyDown={(event) => answers.push(isOverlayKey(event))}>
        <MenuThatClosesOnEscape />
      </section>
    );
  }
  render(<Panel />);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  fireEvent.keyDown(screen.getByRole('region'), { key: 'Escape' });
  expect(answers).toEqual([true, false]);
});

it('lets no key and no input reach the page while an overlay is on its way, and gives both back', () => {
  undoes.push(listenToKeys());
  const [onPage, onField, onCancel] = [vi.fn(), vi.fn(), vi.fn()];
  bind(onPage, { inFields: true });
  render(<input aria-label="Nama" onKeyDown={onField} />);
  const field = screen.getByRole('textbox');
  const giveBack = holdKeys(onCancel);
  // False: the default of the event was prevented.
  expect(fireEvent.keyDown(field, { key: 'x' })).toBe(false);
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(false);
  expect(fireEvent(field, new InputEvent('beforeinput', { bubbles: true, cancelable: true, data: 'x' }))).toBe(false);
  expect(fireEvent.keyDown(field, { key: 'F5' }), 'the browser keeps its own keys').toBe(true);
  expect(fireEvent.keyDown(field, { key: 'r', ctrlKey: true })).toBe(true);
  expect([onPage, onField, onCancel].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(onCancel).toHaveBeenCalledOnce();
  expect(onPage).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'x' });
  expect([onPage, onField].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  giveBack();
});

it('gives the keys to a panel beside the page, too, and not to one from before', () => {
  undoes.push(listenToKeys());
  const { rerender } = render(<dialog open aria-label="Lama" />);
  const giveBack = holdKeys(vi.fn());
  giveBack();
  rerender(
    <>
      <dialog open aria-label="Lama" />
      <dialog open aria-label="Baru" />
    </>,
  );
  expect(fireEvent.keyDown(screen.getByRole('dialog', { name: 'Lama' }), { key: 'x' })).toBe(false);
  expect(fireEvent.keyDown(screen.getByRole('dialog', { name: 'Baru' }), { key: 'x' })).toBe(true);
});

it('gives the keys to the overlay as soon as it has the focus, and to the page a moment later', async () => {
  const onPage = vi.fn();
  bind(onPage);
  const giveBack = holdKeys(vi.fn());
  giveBack();
  const { unmount } = render(
    <div role="menu" tabIndex={-1}>
      <input aria-label="Nama" />
    </div>,
  );
  expect(fireEvent.keyDown(document.body, { key: 'x' }), 'before the focus has moved').toBe(false);
  expect(fireEvent.keyDown(screen.getByRole('textbox'), { key: 'x' })).toBe(true);
  unmount();
  expect(onPage).not.toHaveBeenCalled();
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'x' });
    expect(onPage).toHaveBeenCalled();
  });
});
