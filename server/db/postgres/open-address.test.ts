import { expect, it, onTestFinished } from 'vitest';
import { testResources } from '#server/testing/open-test-database.ts';
import { startRefusingHost } from '#server/testing/postgres/refusing-host.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { DatabaseAddressError } from './address-error.ts';
import { parsePostgresUrl, type PostgresAddress } from './address.ts';
import { readPostgresMigrations } from './migrate.ts';
import { openAddress, toAddressError } from './open-address.ts';

let made = 0;

/** An empty database of its own. */
function makeDatabase(options = ''): { name: string; address: PostgresAddress } {
  const name = `pbb_open_${process.pid}_${(made += 1)}`;
  runSync('postgres', `create database ${name} ${options}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  return { name, address: parsePostgresUrl(`${testServer}/${name}`) as PostgresAddress };
}

async function open(address: PostgresAddress) {
  const { database, connections } = await openAddress(address, { pool: 2, resources: testResources, waitMs: 0 });
  onTestFinished(connections.end);
  return database;
}

it('migrates an empty database once, also when two processes start at the same time', async () => {
  const { name, address } = makeDatabase();
  const [one, other] = await Promise.all([open(address), open(address)]);
  expect(await one.orm.value('select count(*) from messages')).toBe(0);
  expect(await other.takesWrites()).toBe(true);
  const applied = (): unknown =>
    runSync(name, 'select count(*) as rows, count(distinct hash) as hashes from __drizzle_migrations').rows;
  const count = readPostgresMigrations(testResources).length;
  expect(applied()).toEqual([{ rows: count, hashes: count }]);
  await open(address);
  expect(applied()).toEqual([{ rows: count, hashes: count }]);
});

it('refuses a database that a newer version has written', async () => {
  const { name, address } = makeDatabase();
  await open(address);
  runSync(name, "insert into __drizzle_migrations (hash, created_at) values ('x', 99999999999999)");
  await expect(open(address)).rejects.toThrow(
    'DATABASE_URL: database dibuat oleh versi PBB Kita yang lebih baru daripada program ini; yang diterima: versi program yang sama atau lebih baru',
  );
});

it('refuses a database with tables of another program, and changes nothing in it', async () => {
  const { name, address } = makeDatabase();
  runSync(name, 'create table pelanggan (id int)');
  await expect(open(address)).rejects.toThrow(/ada tabel program lain \("pelanggan"\); yang diterima: database kosong/);
  expect(runSync(name, "select table_name from information_schema.tables where table_schema = 'public'").rows).toEqual([
    { table_name: 'pelanggan' },
  ]);
});

it('refuses a database in another encoding than UTF-8, and makes nothing in it', async () => {
  const { name, address } = makeDatabase("encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
  await expect(open(address)).rejects.toThrow(
    /^DATABASE_URL: database \S+ memakai encoding LATIN1; yang diterima: database baru dengan UTF8, dari createdb --owner=postgres --encoding=UTF8 --template=template0 NAMA$/,
  );
  expect(runSync(name, "select table_name from information_schema.tables where table_schema = 'public'").rows).toEqual(
    [],
  );
});

it('opens an address while one of its hosts refuses', async () => {
  const { address } = makeDatabase();
  const database = await open({ ...address, hosts: [await startRefusingHost(), ...address.hosts] });
  expect(await database.takesWrites()).toBe(true);
});

it('tells a wrong password from a refused computer, also of a connection that is encrypted', () => {
  const { address } = makeDatabase();
  const line = (code: string, routine: string): string => {
    const error = Object.assign(new Error('message in any language'), { code, routine });
    return (toAddressError({ ...address, ssl: 'require' }, error) as Error).message;
  };
  expect(line('28P01', 'auth_failed')).toMatch(
    /"postgres" tidak diterima oleh \S+; yang diterima: nama dan sandi yang benar$/,
  );
  expect(line('28000', 'InitializeSessionUserId')).toBe(line('28P01', 'auth_failed'));
  expect(line('28000', 'ClientAuthentication')).toMatch(
    /^DATABASE_URL: pg_hba\.conf di \S+ menolak "postgres" dari komputer ini; yang diterima: baris pg_hba\.conf untuk komputer ini$/,
  );
});

it('says in one line that a certificate is not trusted', () => {
  const { address } = makeDatabase();
  for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED']) {
    const error = toAddressError(address, Object.assign(new Error('certificate'), { code }));
    expect(error).toBeInstanceOf(DatabaseAddressError);
    expect((error as Error).message).toContain(`tidak dipercaya (${code}); yang diterima: sertifikat dari penerbit`);
  }
});

it('says in one line without a password what is wrong with an address', async () => {
  const { address } = makeDatabase();
  const refusing = await startRefusingHost();
  const withPassword = { ...address, password: 'rahasia-sekali' };
  const cases: [PostgresAddress, RegExp][] = [
    [
      { ...withPassword, database: 'pbb_tidak_ada' },
      /^DATABASE_URL: database \S+\/pbb_tidak_ada tidak ada; yang diterima: /,
    ],
    [{ ...withPassword, user: 'orang_lain' }, /^DATABASE_URL: "orang_lain" tidak diterima oleh \S+; yang diterima: /],
    [
      { ...withPassword, hosts: [{ host: '127.0.0.1', port: 1 }] },
      /^DATABASE_URL: 127\.0\.0\.1:1\/\S+ tidak dapat dihubungi; yang diterima: /,
    ],
    [
      { ...withPassword, hosts: [refusing] },
      /^DATABASE_URL: pg_hba\.conf di \S+ menolak "postgres" dari komputer ini tanpa enkripsi; yang diterima: alamat dengan \?sslmode=require, atau /,
    ],
    // The server of the tests has no encryption.
    [
      { ...withPassword, ssl: 'require' },
      /^DATABASE_URL: \S+ tidak memakai enkripsi; yang diterima: server dengan ssl = on, /,
    ],
    [
      { ...withPassword, ssl: 'require', hosts: [await startRefusingHost('N')] },
      /^DATABASE_URL: \S+ tidak memakai enkripsi; yang diterima: server dengan ssl = on, atau sslmode=disable$/,
    ],
  ];
  for (const [wrong, line] of cases) {
    const error: unknown = await open(wrong).catch((caught: unknown) => caught);
    expect((error as Error).message).toMatch(line);
    expect((error as Error).message).not.toContain('rahasia');
  }
});
