import { describe, expect, it } from 'vitest';
import type { AreaNode } from '#shared/domain/dhkp/area-names.ts';
import { createAreaPlaces, placeKey } from './area-places.ts';

const area = (id: string, kind: AreaNode['kind'], name: string, parentId: string | null = null): AreaNode => ({
  id,
  kind,
  name,
  parentId,
});
const tree = [
  area('krajan', 'dusun', 'Krajan'),
  area('krajan-1', 'rw', 'RW 01', 'krajan'),
  area('krajan-1-5', 'rt', '05', 'krajan-1'),
  area('sumber', 'dusun', 'Dsn. Sumber'),
  area('sumber-1', 'rw', '1', 'sumber'),
  area('sumber-1-5', 'rt', 'RT 5', 'sumber-1'),
];
const places = createAreaPlaces(tree, [{ block: '001', areaId: 'sumber' }]);
const keyOf = (dusun: string | null, rw: string | null, rt: string | null) => placeKey({ dusun, rw, rt });
const find = (dusun: string | null, rw: string | null, rt: string | null): string | null => {
  const key = keyOf(dusun, rw, rt);
  return key === null ? null : places.areaOfPlace(key);
};

describe('the area that a file names', () => {
  it.each([
    ['KRAJAN', '1', '5', 'krajan-1-5'],
    ['Dusun Krajan', 'RW. 01', 'RT.005', 'krajan-1-5'],
    ['Sumber', null, '05', 'sumber-1-5'],
    ['sumber', '001', null, 'sumber-1'],
    ['Krajan', null, null, 'krajan'],
    // The smallest one that exists.
    ['Krajan', '1', '9', 'krajan-1'],
    ['Krajan', '7', '9', 'krajan'],
    // Two areas have this name, so neither is taken.
    [null, '1', '5', null],
    [null, null, '5', null],
    ['Tegal', '1', '5', null],
  ])('follows from dusun %s, RW %s, RT %s', (dusun, rw, rt, expected) => {
    expect(find(dusun, rw, rt)).toBe(expected);
  });

  it('needs one of the columns', () => {
    expect(keyOf(null, null, null)).toBeNull();
    expect(keyOf('', ' ', '-')).toBeNull();
  });
});

describe('the area of an object', () => {
  it('follows from its own choice, else from its file, else from its block', () => {
    const key = keyOf('Krajan', '1', '5');
    expect(places.areaOf({ areaId: 'sumber-1', placeKey: key, block: '001' })).toBe('sumber-1');
    expect(places.areaOf({ areaId: null, placeKey: key, block: '001' })).toBe('krajan-1-5');
    expect(places.areaOf({ areaId: null, placeKey: keyOf('Tegal', null, null), block: '001' })).toBe('sumber');
    expect(places.areaOf({ areaId: null, placeKey: null, block: '002' })).toBeNull();
  });
});

it('knows the path of an area, and all areas below it', () => {
  expect(places.pathOf('krajan-1-5')).toBe('Krajan / RW 01 / RT 05');
  expect(places.pathOf('unknown')).toBeNull();
  expect([...places.withAllBelow('krajan')]).toEqual(['krajan', 'krajan-1', 'krajan-1-5']);
  expect([...places.withAllBelow('unknown')]).toEqual([]);
  expect(places.blocksIn(new Set(['sumber']))).toEqual(['001']);
});
