import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Resources } from '#server/files/resources.ts';
import { errorCode } from '#server/files/atomic.ts';
import type { Database } from '../database.ts';
import { compareVersions, MigrationError, NewerDatabaseError, type SchemaComparison } from '../migrations/journal.ts';
import { DatabaseAddressError } from './address-error.ts';
import { describeAddress, type PostgresAddress } from './address.ts';
import { clientConfig, connectHosts, type Connections } from './connect.ts';
import { requireSettledOffice } from './moved-office.ts';
import { isLost } from './lost.ts';
import { findLastAppliedAt, ForeignTablesError, MigrationLockedError, migratePostgres } from './migrate.ts';
import { openPostgres } from './open.ts';
import { findRefusal, type Refusal } from './refusals.ts';

const VERSION_MIN = 15;
const ENCODING = 'UTF8';
const UNREACHABLE_WAIT_MS = 60_000;
const RETRY_EVERY_MS = 1000;

export const addressLine = (problem: string, accepted: string, cause?: unknown): DatabaseAddressError =>
  new DatabaseAddressError(`DATABASE_URL: ${problem}; yang diterima: ${accepted}`, { cause });

function lineOfRefusal(address: PostgresAddress, refusal: Refusal, error: unknown): DatabaseAddressError {
  const at = describeAddress(address);
  switch (refusal) {
    case 'password':
      return addressLine(`"${address.user}" tidak diterima oleh ${at}`, 'nama dan sandi yang benar', error);
    case 'rule':
      return address.ssl === 'disable'
        ? addressLine(
            `pg_hba.conf di ${at} menolak "${address.user}" dari komputer ini tanpa enkripsi`,
            'alamat dengan ?sslmode=require, atau baris pg_hba.conf untuk komputer ini',
            error,
          )
        : addressLine(
            `pg_hba.conf di ${at} menolak "${address.user}" dari komputer ini`,
            'baris pg_hba.conf untuk komputer ini',
            error,
          );
    case 'no encryption':
      return addressLine(`${at} tidak memakai enkripsi`, 'server dengan ssl = on, atau sslmode=disable', error);
    case 'certificate':
      return addressLine(
        `sertifikat ${at} tidak dipercaya (${errorCode(error) ?? ''})`,
        'sertifikat dari penerbit yang dipercaya komputer ini untuk nama itu, atau sslmode=require',
        error,
      );
    default:
      return addressLine(`database ${at} tidak ada`, 'database yang sudah dibuat', error);
  }
}

/** @returns the line to show for an error that no waiting mends; any other error unchanged */
export function toAddressError(address: PostgresAddress, error: unknown): unknown {
  const at = describeAddress(address);
  const refusal = findRefusal(error);
  if (refusal) return lineOfRefusal(address, refusal, error);
  if (errorCode(error) === '42501') return addressLine(`hak di ${at} kurang`, 'pemilik database itu', error);
  if (error instanceof NewerDatabaseError)
    return addressLine(error.message, 'versi program yang sama atau lebih baru', error);
  if (error instanceof ForeignTablesError)
    return addressLine(`di ${at} ada tabel program lain ("${error.message}")`, 'database kosong milik sendiri', error);
  if (error instanceof MigrationLockedError)
    return addressLine(
      'proses lain belum selesai memperbarui database',
      'mulai lagi sesudah proses itu selesai',
      error,
    );
  if (!(error instanceof MigrationError)) return error;
  const cause = toAddressError(address, error.cause);
  if (cause instanceof DatabaseAddressError) return cause;
  return new DatabaseAddressError(
    `Database tidak dapat diperbarui ke versi ini; data lama tidak diubah. Pakai kembali program versi lama, dan kirimkan pesan ini: ${error.message}`,
    { cause: error },
  );
}

export const unreachableError = (address: PostgresAddress): DatabaseAddressError =>
  addressLine(
    `${describeAddress(address)} tidak dapat dihubungi`,
    'server PostgreSQL yang berjalan dan menerima tulisan',
  );

async function requireVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (!(version >= VERSION_MIN))
    throw addressLine(`PostgreSQL ${version} terlalu lama`, `PostgreSQL ${VERSION_MIN} atau lebih baru`);
}

/**
 * A database in another encoding refuses texts that users write, such as an emoji, in the middle of their work.
 * @throws DatabaseAddressError with the line to show
 */
export async function requireEncoding(client: pg.ClientBase, address: PostgresAddress): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  const encoding = rows[0]?.server_encoding ?? '';
  if (encoding === ENCODING) return;
  throw addressLine(
    `database ${describeAddress(address)} memakai encoding ${encoding}`,
    `database baru dengan UTF8, dari createdb --owner=${address.user} --encoding=UTF8 --template=template0 NAMA`,
  );
}

/** @returns a connection of its own to a host; null when it does not take writes or does not answer */
export async function connectPrimary(config: pg.ClientConfig): Promise<pg.Client | null> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  let isPrimary = false;
  try {
    await client.connect();
    await requireVersion(client);
    const { rows } = await client.query<{ standby: number }>('select pg_is_in_recovery() as standby');
    isPrimary = rows[0]?.standby === 0;
    return isPrimary ? client : null;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  } finally {
    if (!isPrimary) await client.end().catch(() => undefined);
  }
}

/** Migrates over a connection of its own to the host that takes writes. @returns false when this one does not */
async function prepareHost(
  address: PostgresAddress,
  host: PostgresAddress['hosts'][number],
  resources: Resources,
): Promise<boolean> {
  const client = await connectPrimary(clientConfig(address, host));
  if (!client) return false;
  try {
    await requireEncoding(client, address);
    await requireSettledOffice(client);
    await migratePostgres(client, resources, UNREACHABLE_WAIT_MS);
    return true;
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @throws DatabaseAddressError for a database that was left, or into which an office did not arrive whole */
async function inspect(client: pg.ClientBase, resources: Resources): Promise<SchemaComparison> {
  await requireSettledOffice(client);
  return compareVersions(resources, await findLastAppliedAt(client));
}

/**
 * Opens the database of an address that has the version of this program. Servers may use it meanwhile.
 * @throws DatabaseAddressError with the line to show
 */
export async function openMigratedAddress(
  address: PostgresAddress,
  resources: Resources,
): Promise<{ database: Database; connections: Connections }> {
  const connections = connectHosts(address, { max: 2 });
  try {
    const client = await connections.writer();
    const version = await inspect(client, resources).finally(() => client.release());
    if (version !== 'same')
      throw addressLine(
        'isi database tidak berversi sama dengan program ini',
        'program yang sama dengan server, yang sudah pernah berjalan',
      );
    return { database: openPostgres(connections), connections };
  } catch (error) {
    await connections.end();
    throw isLost(error) ? unreachableError(address) : toAddressError(address, error);
  }
}

type OpenOptions = {
  /** Connections at most. */
  pool: number;
  resources: Resources;
  /** The time (milliseconds) for which an unreachable server is waited for. */
  waitMs?: number;
  /** Called once when the waiting begins. */
  onWait?: () => void;
};

/**
 * Brings the database of an address to the version of this program, and opens it. A server that does not answer is waited for.
 * @throws DatabaseAddressError with the line to show
 */
export async function openAddress(
  address: PostgresAddress,
  { pool, resources, waitMs = UNREACHABLE_WAIT_MS, onWait }: OpenOptions,
): Promise<{ database: Database; connections: Connections }> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries += 1) {
    const refusals: unknown[] = [];
    for (const host of address.hosts) {
      try {
        if (!(await prepareHost(address, host, resources))) continue;
      } catch (error) {
        // Another host may be the one that takes writes.
        refusals.push(error);
        continue;
      }
      const connections = connectHosts(address, { max: pool });
      return { database: openPostgres(connections), connections };
    }
    if (refusals.length > 0) throw toAddressError(address, refusals[0]);
    if (performance.now() - startedAt >= waitMs) throw unreachableError(address);
    if (tries === 0) onWait?.();
    await sleep(RETRY_EVERY_MS);
  }
}
