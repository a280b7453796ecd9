import { expect, it, onTestFinished, vi } from 'vitest';
import { findLeftovers, readGlobalState } from './global-state.ts';

it.each<[string, () => void, () => void, string[]]>([
  ['a global', () => vi.stubGlobal('indexedDB', {}), () => vi.unstubAllGlobals(), ['indexedDB']],
  ['a replaced global', () => vi.stubGlobal('fetch', () => {}), () => vi.unstubAllGlobals(), ['fetch']],
  [
    'a method of a prototype',
    () => Object.assign(Array.prototype, { sisa: true }),
    () => Reflect.deleteProperty(Array.prototype, 'sisa'),
    ['Array.prototype.sisa'],
  ],
  [
    'a spy on a getter',
    () => vi.spyOn(Blob.prototype, 'size', 'get').mockReturnValue(1),
    () => vi.restoreAllMocks(),
    ['get Blob.prototype.size'],
  ],
  [
    'a function of the console',
    () => vi.spyOn(console, 'warn').mockImplementation(() => {}),
    () => vi.restoreAllMocks(),
    ['console.warn'],
  ],
  [
    'an environment variable',
    () => vi.stubEnv('PBB_SISA', 'x'),
    () => vi.unstubAllEnvs(),
    ['the environment variable PBB_SISA'],
  ],
  [
    'a listener of the process',
    () => process.on('SIGUSR2', onSignal),
    () => process.off('SIGUSR2', onSignal),
    ['the listeners of the process on SIGUSR2'],
  ],
])('names %s that a test leaves behind, and nothing once it is undone', (_title, leave, undo, expected) => {
  onTestFinished(undo);
  const before = readGlobalState();
  leave();
  expect(findLeftovers(before, readGlobalState())).toEqual(expect.arrayContaining(expected));
  undo();
  expect(findLeftovers(before, readGlobalState())).toEqual([]);
});

it('names fake timers', () => {
  const before = readGlobalState();
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers();
  expect(findLeftovers(before, readGlobalState())).toContain('whether timers are fake');
});

function onSignal(): void {}
