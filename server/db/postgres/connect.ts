import pg from 'pg';

/** Truth is 1 and 0 on both engines; counts and sums are numbers, as SQLite gives them. */
const BOOLEAN_TYPE = 16;
const NUMBER_TYPES = new Set([20, 1700]);

const types: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    if (id === BOOLEAN_TYPE) return (text: string) => (text === 't' ? 1 : 0);
    if (NUMBER_TYPES.has(id)) return Number;
    return pg.types.getTypeParser(id, format ?? 'text') as (text: string) => unknown;
  },
};

/** Connections to one database of PostgreSQL. @param url as `DATABASE_URL` has it @param max the connections at most */
export function connectPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, types });
  // An idle connection that breaks is replaced by the pool. A query on a broken connection fails by itself.
  pool.on('error', () => {});
  return pool;
}
