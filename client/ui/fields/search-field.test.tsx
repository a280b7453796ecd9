import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { SearchField } from './search-field.tsx';

const searches: string[] = [];
/** Makes a search the active one, which can take a moment after it was asked for. */
let activate = (_text: string): void => {};

function Page() {
  const [value, setValue] = useState('');
  useEffect(() => {
    activate = (text) => act(() => setValue(text));
  }, []);
  return <SearchField label="Cari" value={value} onSearch={(text) => searches.push(text)} />;
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Cari' });
const type = (text: string): void => void fireEvent.change(field(), { target: { value: text } });
const pause = (): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(300));

beforeEach(() => {
  searches.length = 0;
  vi.useFakeTimers();
});

it('searches once when typing pauses', async () => {
  renderPage(<Page />);
  for (const text of ['j', 'jl', 'jl.']) {
    type(text);
    await act(() => vi.advanceTimersByTimeAsync(200));
  }
  expect(searches).toEqual([]);
  await pause();
  expect(searches).toEqual(['jl.']);
});

it('keeps what is typed on while its own search becomes the active one', async () => {
  renderPage(<Page />);
  type('j');
  await pause();
  type('jl');
  activate('j');
  expect(field().value).toBe('jl');
  await pause();
  type('jl.');
  activate('jl');
  expect(field().value).toBe('jl.');
  await pause();
  expect(searches).toEqual(['j', 'jl', 'jl.']);
});

it('keeps what is typed on when two of its searches become active late', async () => {
  renderPage(<Page />);
  type('j');
  await pause();
  type('jl');
  await pause();
  type('jl.');
  activate('j');
  activate('jl');
  expect(field().value).toBe('jl.');
});

it('follows the browser back to an earlier search', async () => {
  renderPage(<Page />);
  type('jalan');
  await pause();
  activate('jalan');
  activate('');
  expect(field().value).toBe('');
  activate('jalan');
  expect(field().value).toBe('jalan');
});
