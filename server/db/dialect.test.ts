import { type SQL, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import {
  ascending,
  computedOnce,
  containsLetters,
  containsWord,
  descending,
  hasWideLetters,
  ignoringCase,
  isLike,
  isListedChange,
  isTrue,
  jsonList,
  numberAt,
  numberRows,
  numbersIn,
  placeIn,
  roughSum,
  textsIn,
  withoutIndex,
} from './dialect.ts';

// This file runs on SQLite and on PostgreSQL, with the same answers.

const { orm } = openTestDatabase();

/** @returns the value of an expression, truth as 1 */
const valueOf = (expression: SQL): Promise<unknown> => orm.value(sql`select ${expression}`);

const text = (value: string): SQL => sql`cast(${value} as text)`;
const listed = (values: readonly (string | number)[]): SQL =>
  sql.join(
    values.map((value) => sql`select ${typeof value === 'number' ? sql.raw(String(value)) : text(value)} as value`),
    sql` union all `,
  );

it.each([
  ['a flag', isTrue(sql`1`), 1],
  ['a flag that is not set', isTrue(sql`0`), 0],
  ['letters outside of ASCII', hasWideLetters(text('Café')), 1],
  ['letters of ASCII', hasWideLetters(text('Cafe')), 0],
  ['the place of a part', placeIn(text('a/b/c'), text('/')), 2],
  ['the place of a part that is not there', placeIn(text('abc'), text('/')), 0],
  ['a pattern in another case', isLike(text('Desa Suka Maju'), '%suka%'), 1],
  ['a sign that a pattern takes literally', isLike(text('100%'), String.raw`100\%`), 1],
  ['a letter outside of ASCII in another case', isLike(text('É'), 'é'), 0],
  [
    'letters in any case',
    containsLetters(text('rumah ÉTÉ'), [
      ['é', 'É'],
      ['t', 'T'],
    ]),
    1,
  ],
  ['signs among letters', containsLetters(text('a.*b'), [['.'], ['*'], ['b', 'B']]), 1],
  ['signs that are not there', containsLetters(text('axxb'), [['.'], ['*']]), 0],
  [
    'a whole word',
    containsWord(
      text('Siti Aminah'),
      [
        ['s', 'S'],
        ['i', 'I'],
        ['t', 'T'],
        ['i', 'I'],
      ],
      false,
    ),
    1,
  ],
  [
    'the beginning of a word',
    containsWord(
      text('Siti Aminah'),
      [
        ['a', 'A'],
        ['m', 'M'],
      ],
      true,
    ),
    1,
  ],
  [
    'a part within a word',
    containsWord(
      text('Siti Aminah'),
      [
        ['m', 'M'],
        ['i', 'I'],
      ],
      true,
    ),
    0,
  ],
  ['a number of JSON', numberAt(text('{"a":5,"b":null}'), 'a'), 5],
  ['nothing of JSON', numberAt(text('{"a":5,"b":null}'), 'b'), null],
  ['a listed change', isListedChange(text('[{"field":"is_admin","from":true}]'), 'is_admin', true), 1],
  ['a change from the other truth', isListedChange(text('[{"field":"is_admin","from":false}]'), 'is_admin', true), 0],
  ['a change of another field', isListedChange(text('[{"field":"name","from":"a"}]'), 'is_admin', true), 0],
])('answers %s', async (_name, expression, answer) => {
  expect(await valueOf(expression)).toBe(answer);
});

it('orders without regard to the case of ASCII letters', async () => {
  const order = sql`select value from (${listed(['b', 'A', 'a', 'B', 'é', 'É'])}) as list order by ${ignoringCase(sql`value`)}, value`;
  expect(await orm.column(order)).toEqual(['A', 'a', 'B', 'b', 'É', 'é']);
});

it('reads and writes lists', async () => {
  expect(await orm.column(sql`select value from ${numbersIn('[3,1]')} as list order by value`)).toEqual([1, 3]);
  expect(await orm.column(sql`select value from ${textsIn('["b","a"]')} as list order by value`)).toEqual(['a', 'b']);
  const json = await orm.value<string>(sql`select ${jsonList(sql`value`)} from (${listed([2, 5])}) as list`);
  expect(JSON.parse(json ?? '')).toEqual([2, 5]);
  const none = sql`select ${jsonList(sql`value`)} from (${listed([2])}) as list where value > 2`;
  expect(JSON.parse((await orm.value<string>(none)) ?? '')).toEqual([]);
  expect(await orm.all(sql`select * from ${numberRows('[[1,2],[3,4]]', ['a', 'b'])} as list`)).toEqual([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ]);
});

it('sums and compares numbers', async () => {
  const list = listed([2, 5]);
  expect(await orm.value(sql`select ${roughSum(sql`value`)} from (${list}) as list`)).toBe(7);
  expect(await orm.value(sql`select ${roughSum(sql`value`)} from (${list}) as list where value > 9`)).toBe(0);
  expect(await orm.column(sql`select value from (${list}) as list where ${withoutIndex(sql`value`)} = 5`)).toEqual([5]);
  expect(await orm.tuples(sql`select max(1, 2), min(1, 2), max(1, null), max(3, 1, 2)`)).toEqual([[2, 1, null, 3]]);
});

it('orders nulls before all values', async () => {
  const rows = sql`(${listed([2, 1])} union all select null as value) as listed`;
  const read = (order: SQL): Promise<unknown[]> => orm.column(sql`select value from ${rows} order by ${order}`);
  expect(await read(ascending(sql`value`))).toEqual([null, 1, 2]);
  expect(await read(descending(sql`value`))).toEqual([2, 1, null]);
});

it('reads a subquery that is computed once', async () => {
  const rows = sql`(${computedOnce(listed([1, 2]))}) as listed`;
  expect(await orm.column(sql`select value from ${rows} where value > 1`)).toEqual([2]);
});
