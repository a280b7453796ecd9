import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as TestingLibrary from '@testing-library/dom';
import { expect } from 'vitest';
import type { Driver } from './driver.ts';

/** An element as a person finds it. A name between slashes is a pattern, such as `/^Buka/`. */
export type Query = { role: string; name?: string } | { text: string } | { css: string };

type SavedFile = { name: string; base64: string };
/** A document with what the tests put into it. */
type PreparedWindow = Window & {
  TestingLibraryDom?: Pick<typeof TestingLibrary, 'queryAllByRole' | 'queryAllByText'>;
  errors?: string[];
  saved?: SavedFile[];
};

const librarySource = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);
// The page's own policy forbids such code; a driver may run it.
// oxlint-disable-next-line typescript/no-implied-eval
const loadLibrary = new Function(librarySource) as () => void;

const TARGET = '[data-test-target]';
const TIMEOUT_MS = 30_000;
const POLL = { timeout: TIMEOUT_MS, interval: 100 };

// The functions below run in the page and see nothing of this module.

function isPrepared(): boolean {
  return (window as PreparedWindow).saved !== undefined;
}

/** Collects errors, and the files that the page saves: WebKit has no downloads while a program drives it. */
function watchPage(): void {
  const page = window as PreparedWindow;
  const errors: string[] = [];
  const saved: SavedFile[] = [];
  page.errors = errors;
  page.saved = saved;
  window.addEventListener('error', ({ message }) => {
    // The text field of a message measures itself when its width changes. The browser then measures the rest in the next frame, and says so.
    if (!message.startsWith('ResizeObserver loop completed')) errors.push(message);
  });
  window.addEventListener('unhandledrejection', ({ reason }) =>
    errors.push(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : ''} ${String(reason)}`),
  );
  document.addEventListener('securitypolicyviolation', (event) => errors.push(`policy: ${event.violatedDirective}`));
  const blobs = new Map<string, Blob>();
  const createObjectURL = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (object) => {
    const url = createObjectURL(object);
    if (object instanceof Blob) blobs.set(url, object);
    return url;
  };
  HTMLAnchorElement.prototype.click = function clickOrSave() {
    const blob = blobs.get(this.href);
    if (!blob) return HTMLElement.prototype.click.call(this);
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result !== 'string') return;
      saved.push({ name: this.download, base64: reader.result.replace(/^.*,/, '') });
    });
    reader.readAsDataURL(blob);
  };
}

/**
 * Marks the only element that matches, as soon as it stands still and nothing lies over it.
 * @returns an empty text, or what is still missing
 */
function mark(query: Query, needsPointer: boolean): string {
  for (const marked of document.querySelectorAll('[data-test-target]')) marked.removeAttribute('data-test-target');
  const library = (window as PreparedWindow).TestingLibraryDom;
  if (!library) return 'the page is not ready';
  const matcherOf = (text: string) => {
    const [, pattern] = /^\/(.*)\/$/.exec(text) ?? [];
    return pattern === undefined ? text : new RegExp(pattern);
  };
  const find = (): HTMLElement[] => {
    if ('css' in query) return [...document.querySelectorAll<HTMLElement>(query.css)];
    if ('text' in query) {
      return library.queryAllByText(document.body, matcherOf(query.text)).filter((one) => one.checkVisibility());
    }
    const { role, name } = query;
    return library.queryAllByRole(document.body, role, name === undefined ? {} : { name: matcherOf(name) });
  };
  const [element, ...others] = find();
  if (!element || others.length > 0) return `${element ? others.length + 1 : 0} elements match`;
  if (needsPointer) {
    if (element.matches(':disabled, [aria-disabled="true"]')) return 'it is disabled';
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const place = [left, top, width, height].join(' ');
    if (element.dataset['testPlace'] !== place) {
      element.dataset['testPlace'] = place;
      return 'it moves';
    }
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!hit || !element.contains(hit)) return `${hit?.outerHTML.slice(0, 200) ?? 'nothing'} lies over it`;
  }
  element.setAttribute('data-test-target', '');
  return '';
}

function readTarget(): { text: string; value: string; imageWidth: number } {
  const element = document.querySelector<HTMLElement>('[data-test-target]');
  return {
    text: element?.innerText ?? '',
    value: element && 'value' in element ? String(element.value) : '',
    imageWidth: element instanceof HTMLImageElement ? element.naturalWidth : 0,
  };
}

function selectTarget(): void {
  document.querySelector<HTMLInputElement>('[data-test-target]')?.select();
}

function takeErrors(): string[] {
  return (window as PreparedWindow).errors?.splice(0) ?? [];
}

function readSaved(): SavedFile[] {
  return (window as PreparedWindow).saved ?? [];
}

/** The actions of a user on a page, the same for every engine. */
export function createPage(driver: Driver, baseUrl: string) {
  async function run<A extends unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<R> {
    if (!(await driver.run(isPrepared))) {
      await driver.run(loadLibrary);
      await driver.run(watchPage);
    }
    return driver.run(fn, ...args);
  }

  async function find(query: Query, needsPointer = false): Promise<void> {
    await expect.poll(() => run(mark, query, needsPointer), { ...POLL, message: JSON.stringify(query) }).toBe('');
  }

  const page = {
    async goto(path: string): Promise<void> {
      await page.expectNoErrors();
      await driver.goto(baseUrl + path);
    },
    /** Waits until one element matches. */
    see: (query: Query) => find(query),
    async click(query: Query): Promise<void> {
      await find(query, true);
      await driver.click(TARGET);
    },
    async typeInto(query: Query, text: string): Promise<void> {
      await page.click(query);
      await run(selectTarget);
      await driver.type(TARGET, text);
    },
    async chooseFile(query: Query, path: string): Promise<void> {
      await find(query);
      await driver.chooseFile(TARGET, path);
    },
    /** Waits until the text of an element is as expected. */
    async expectText(query: Query, expected: string | RegExp): Promise<void> {
      await find(query);
      await expect
        .poll(async () => ((await run(mark, query, false)) === '' ? (await run(readTarget)).text : ''), POLL)
        .toMatch(expected);
    },
    /** Waits until a picture is loaded. @returns its width in pixels */
    async expectImageWidth(query: Query, width: number): Promise<void> {
      await find(query);
      await expect
        .poll(async () => ((await run(mark, query, false)) === '' ? (await run(readTarget)).imageWidth : 0), POLL)
        .toBe(width);
    },
    /** Waits for a file that the page saves. */
    async takeSavedFile(): Promise<{ name: string; bytes: Buffer }> {
      await expect.poll(async () => (await run(readSaved)).length, POLL).toBe(1);
      const [{ name, base64 } = { name: '', base64: '' }] = await run(readSaved);
      return { name, bytes: Buffer.from(base64, 'base64') };
    },
    async expectNoErrors(): Promise<void> {
      // As one text, because a list is shortened where the failure is printed.
      expect((await driver.run(takeErrors)).join('\n'), 'errors of the page').toBe('');
    },
  };
  return page;
}

export type Page = ReturnType<typeof createPage>;
