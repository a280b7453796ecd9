import { vi } from 'vitest';

/** The state that the test files of a worker share, by name: globals, prototypes, the environment, the document, the storage. */
type GlobalState = Map<string, unknown>;

/** Values that packages set once and keep for the life of the worker. No test file changes them. */
const KEPT_BY_PACKAGES = [
  // Aliases and internals of jsdom.
  /^(get |set )?(_|frames\.)/,
  // Vitest and its assertions.
  /^(Symbol\((\$\$jest-matchers-object|expect-global)\)|__vitest)/,
  // User-event: focus and blur, the clipboard, what it knows of the document.
  /^(get )?HTMLElement\.prototype\.(focus|blur|Symbol\(patched focus\/blur methods\))$/,
  /^(get navigator\.clipboard|document\.Symbol\(Node prepared with document state workarounds\))$/,
  /^document\._reactListening/,
  /^__zod_global/,
  /^Symbol\((react-redux-context|undici\.)/,
  // Set by the first page that is rendered, and the same for each.
  /^<html data-(mantine-color-scheme|respect-reduced-motion)>$/,
  /^history\.scrollRestoration$/,
  // Helpers of TypeScript and the metadata of decorators, which a package of certificates loads.
  /^(__\w+|Reflect\.\w+|Reflect\.Symbol\(@reflect-metadata:registry\))(\.|$)/,
  // Signal-exit, and a list that Node makes when it is first read.
  /^(Symbol\(signal-exit emitter\)|(get )?process\.allowedNodeEnvironmentFlags)/,
];

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The properties of an object, without a call of its getters. */
function addProperties(state: GlobalState, name: string, object: object): void {
  for (const key of Reflect.ownKeys(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    state.set(`${name}.${String(key)}`, property?.value);
    if (property?.get) state.set(`get ${name}.${String(key)}`, Reflect.get(property, 'get'));
  }
}

function addDocument(state: GlobalState): void {
  const { documentElement, head, body } = document;
  for (const element of [documentElement, head, body]) {
    for (const { name, value } of element.attributes) {
      if (value !== '') state.set(`<${element.localName} ${name}>`, value);
    }
  }
  // Mantine keeps one node for all portals, and one hidden field to measure the height of others.
  const elements = [...body.children].filter(
    (element) => !element.matches('[data-portal]:empty, textarea[aria-hidden]'),
  );
  state.set('<body>', elements.map(({ outerHTML }) => outerHTML).join(''));
  state.set('<head>', head.innerHTML);
  state.set('the address', window.location.href);
  state.set('the state of the history', JSON.stringify(window.history.state));
  state.set('the cookies', document.cookie);
  for (const [name, storage] of Object.entries({ localStorage, sessionStorage })) {
    for (const key of Object.keys(storage)) state.set(`${name}.${key}`, storage.getItem(key));
  }
}

export function readGlobalState(): GlobalState {
  const state: GlobalState = new Map();
  for (const key of Reflect.ownKeys(globalThis)) {
    const value: unknown = Reflect.get(globalThis, key);
    state.set(String(key), value);
    if (!isObject(value) || value === globalThis) continue;
    addProperties(state, String(key), value);
    if (typeof value === 'function' && isObject(value.prototype)) {
      addProperties(state, `${String(key)}.prototype`, value.prototype);
    }
  }
  for (const [name, value] of Object.entries(process.env)) state.set(`the environment variable ${name}`, value);
  for (const event of process.eventNames()) {
    state.set(`the listeners of the process on ${String(event)}`, process.listenerCount(event));
  }
  state.set('the working directory', process.cwd());
  state.set('the rights of new files', process.umask());
  state.set('whether timers are fake', vi.isFakeTimers());
  if (typeof document !== 'undefined') addDocument(state);
  return state;
}

/** @returns the names of what differs, except what packages keep */
export function findLeftovers(before: GlobalState, after: GlobalState): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !Object.is(before.get(name), after.get(name)) && !KEPT_BY_PACKAGES.some((pattern) => pattern.test(name)),
  );
}
