import { openDatabase } from '#server/db/sqlite/open.ts';
import { addUsers, type BenchData } from '../seed-data.ts';

/** The two lists of one year, and the objects that are linked before. */

export const LIST_YEAR = 2026;
const OBJECTS_PER_ACCOUNT = 5;

const nopOf = (index: number): string => `3515180012001${String(index).padStart(4, '0')}0`;

function listText(indexes: readonly number[], amountOf: (index: number) => number): string {
  const rows = indexes.map((index) =>
    [nopOf(index), `WARGA ${index}`, `Jl. Melati ${index}`, amountOf(index)].join('\t'),
  );
  return ['NOP\tNAMA WP\tALAMAT OP\tKETETAPAN', ...rows].join('\n');
}

/** @returns a first list, and one that adds a quarter of the objects, changes half of the others and lacks the first ones */
export function buildLists(objects: number): { first: string; second: string } {
  const added = Math.ceil(objects / 4);
  const gone = Math.ceil(objects / 20);
  const indexes = Array.from({ length: objects + added }, (_, index) => 1 + index);
  return {
    first: listText(indexes.slice(0, objects), () => 50_000),
    second: listText(indexes.slice(gone), (index) => (index % 2 === 0 ? 60_000 : 50_000)),
  };
}

/** Every third object is linked, also those of the second list alone; every other one of these has an estimate that is joined. */
export function linkObjects(data: BenchData, objects: number): void {
  const count = objects + Math.ceil(objects / 4);
  const accounts = addUsers(data, Math.ceil(count / 3 / OBJECTS_PER_ACCOUNT));
  const { sqlite } = openDatabase(data.databaseFile);
  const addObject = sqlite.prepare(
    'insert into objects (nop, user_id, linked_at, created_at, updated_at) values (?, ?, 1, 1, 1)',
  );
  const addRecord = sqlite.prepare(
    `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, amount_source, status,
     created_at, updated_at) values (?, ?, 'Warga', 'Jl. Melati', 'PBB', ?, ${LIST_YEAR}, 100, 'estimate', 'belum_lunas', 1, 1)`,
  );
  const link = sqlite.transaction(() => {
    for (let index = 1; index <= count; index += 3) {
      const { id } = accounts[index % accounts.length] ?? data.user;
      addObject.run(nopOf(index), id);
      if (index % 2 === 0) addRecord.run(crypto.randomUUID(), id, nopOf(index));
    }
  });
  link();
  sqlite.close();
}
