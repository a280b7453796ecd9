import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { addYears } from '#shared/domain/dates/dates.ts';
import { increaseTenPercentSen } from '#shared/domain/money/rupiah.ts';
import { conversations, messages, officeIdentity, taxRecords, users } from '#server/db/schema.ts';
import { buildApp } from '#server/app.ts';
import { type DataFolder, openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { migrate } from '#server/db/migrations/migrate.ts';
import { type DatabaseHandle, openDatabase } from '#server/db/sqlite/open.ts';
import type { Transaction } from '#server/db/engine.ts';
import { createWriteQueue } from '#server/db/sqlite/write-queue.ts';
import { insertConsent } from '#server/consents/consent-queries.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { programResources } from '#server/files/program-resources.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { eq } from 'drizzle-orm';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { importSampleList } from './import-sample-list.ts';
import { linkSampleObjects } from './link-sample-objects.ts';
import { drawPaymentProof } from './proof-image.ts';
import { buildLaterObjects, buildSampleObjects, writeSampleList } from './sample-list.ts';
import { signIn } from './server-calls.ts';
import {
  DESCRIPTIONS,
  FIRST_NAMES,
  LAST_NAMES,
  NOTES,
  SAMPLE_PASSWORD,
  STREETS,
  SAMPLE_CONVERSATIONS,
  VILLAGES,
} from './sample-texts.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { presentTexts } from '#shared/legal-versions.ts';
import { PROPERTY_TYPES, RECORD_STATUSES, type RecordStatus } from '#shared/domain/tax-records/record-values.ts';
import { VERIFICATION_STATES, type VerificationState } from '#shared/domain/tax-records/verification-states.ts';

const USER_COUNT = 60;
const RECORD_COUNT = 400;
const OFFICE = {
  name: 'Desa Sukamaju',
  address: 'Jl. Balai Desa No. 1, Sukamaju, Kecamatan Sukasari',
  phone: '(0281) 555 0101',
  whatsapp: '0812-5550-0101',
};

const firstCreatedAtMs = Date.parse('2022-01-03T02:00:00Z');

type NewUser = typeof users.$inferInsert;
type NewTaxRecord = typeof taxRecords.$inferInsert;
/** An account with one record, for one row of docs/payment-words.md. */
type Example = { owner: NewUser; status: RecordStatus; state: VerificationState };

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

function buildUsers(
  random: SeededRandom,
  passwordHash: string,
): { admins: NewUser[]; normalUsers: NewUser[]; examples: Example[] } {
  const buildUser = (name: string, email: string, isAdmin: boolean, createdAt: number): NewUser => ({
    id: newId(),
    name,
    email,
    passwordHash,
    isAdmin,
    isActive: true,
    createdAt,
    updatedAt: createdAt,
  });
  const examples = RECORD_STATUSES.flatMap((status) =>
    VERIFICATION_STATES.map((state) => {
      const email = `${status.replace('_', '-')}-${state}@contoh.id`;
      return { status, state, owner: buildUser(`Contoh ${status} ${state}`, email, false, firstCreatedAtMs) };
    }),
  );
  const admins = ['Ratna Dewi', 'Hendra Gunawan', 'Fitri Handayani'].map((name, index) =>
    buildUser(name, `${name.split(' ')[0]?.toLowerCase()}@pbb.local`, true, firstCreatedAtMs + index * DAY_MS),
  );
  const normalUsers = Array.from({ length: USER_COUNT }, (_, index) => {
    const first = FIRST_NAMES[index % FIRST_NAMES.length];
    const last = random.pick(LAST_NAMES);
    const user = buildUser(
      `${first} ${last}`,
      `warga${index + 1}@contoh.id`,
      false,
      firstCreatedAtMs + index * 3 * DAY_MS,
    );
    return { ...user, isActive: index % 20 !== 19 };
  });
  return { admins, normalUsers, examples };
}

/** Builds the records of one property, one a year. Each was created between January and June of its year. */
function buildPropertyRecords(random: SeededRandom, owner: NewUser, number: number): NewTaxRecord[] {
  const firstYear = random.integer(2022, 2025);
  const base = {
    name: random.withProbability(0.8) ? owner.name : `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
    address: `${random.pick(STREETS)} No. ${random.integer(1, 120)}, Desa ${random.pick(VILLAGES)}`,
    propertyType: random.pick([...PROPERTY_TYPES, null]),
    sptNumber: `33.74.${String(random.integer(10, 99))}.${String(number).padStart(4, '0')}.0`,
    description: random.pick(DESCRIPTIONS),
  };
  let amountSen = random.integer(60, 2400) * 100_000;
  const rows: NewTaxRecord[] = [];
  // Half of the properties end with 2025, so that the rollover has records to copy.
  const lastYear = random.withProbability(0.5) ? 2025 : 2026;
  for (let year = firstYear; year <= lastYear; year += 1) {
    const createdAt = Date.UTC(
      year,
      random.integer(0, 5),
      random.integer(1, 28),
      random.integer(1, 9),
      random.integer(0, 59),
    );
    const status =
      year < 2025
        ? random.pick(['lunas', 'lunas', 'lunas', 'belum_lunas'] as const)
        : random.pick(['lunas', 'belum_lunas', 'proses'] as const);
    const dueDate = addYears('2022-09-30', year - 2022);
    const paid = status === 'lunas';
    rows.push({
      ...base,
      id: newId(),
      userId: owner.id,
      taxType: 'PBB',
      year,
      amountSen,
      status,
      dueDate: random.withProbability(0.9) ? dueDate : null,
      paymentDate: paid ? `${year}-0${random.integer(6, 9)}-1${random.integer(0, 9)}` : null,
      notes: random.pick(NOTES),
      predecessorId: rows.at(-1)?.id ?? null,
      createdAt,
      updatedAt: paid ? createdAt + random.integer(1, 90) * DAY_MS : createdAt,
    });
    const previous = rows.at(-2);
    if (previous) previous.rolledOverAt = createdAt;
    amountSen = increaseTenPercentSen(amountSen);
  }
  return rows;
}

function buildRecords(random: SeededRandom, owners: NewUser[], proofsDir: string): NewTaxRecord[] {
  const records: NewTaxRecord[] = [];
  for (let number = 1; records.length < RECORD_COUNT; number += 1) {
    const owner = owners[number % owners.length] as NewUser;
    records.push(...buildPropertyRecords(random, owner, number));
  }
  records.length = RECORD_COUNT;
  for (const [index, record] of records.entries()) {
    if (record.status === 'belum_lunas' || !random.withProbability(0.5)) continue;
    record.proofFile = `${crypto.randomUUID()}.png`;
    writeFileSync(join(proofsDir, record.proofFile), drawPaymentProof(index));
  }
  return records.map((record, index) => Object.assign(record, reportOf(record, index)));
}

/** The check of a payment. The office has checked most old payments and rejected one of ten; new ones wait. */
function reportOf({ status, updatedAt }: NewTaxRecord, index: number): Partial<NewTaxRecord> {
  if (status === 'proses') return checkOf('pending', updatedAt);
  if (status !== 'lunas' || index % 2 === 0) return {};
  return checkOf(index % 10 === 1 ? 'rejected' : 'matched', updatedAt);
}

const REASON = 'Jumlah pada bukti tidak sama dengan tagihan';

/** The columns about report and check of a record in a state. */
function checkOf(state: VerificationState, reportedAt: number): Partial<NewTaxRecord> {
  if (state === 'none') return {};
  if (state === 'pending') return { reportedAt, checkState: state };
  return {
    reportedAt,
    checkedAt: reportedAt + DAY_MS,
    checkedByName: 'Fitri Handayani',
    checkState: state,
    checkResult: state === 'rejected' ? 'rejected' : 'matched',
    checkReason: state === 'rejected' ? REASON : null,
    changedSinceCheck: state === 'outdated',
  };
}

/** A bill of this year that is not due yet. */
function buildExampleRecord({ owner, status, state }: Example, number: number, proofsDir: string): NewTaxRecord {
  const year = new Date().getFullYear();
  const createdAt = Date.now() - (10 + number) * DAY_MS;
  const proofFile = state === 'none' ? null : `${crypto.randomUUID()}.png`;
  if (proofFile !== null) writeFileSync(join(proofsDir, proofFile), drawPaymentProof(number));
  return {
    id: newId(),
    userId: owner.id,
    name: owner.name,
    address: `Jl. Contoh No. ${number + 1}, Desa Sukamaju`,
    propertyType: 'rumah_tinggal',
    taxType: 'PBB',
    sptNumber: `33.74.99.${String(number).padStart(4, '0')}.0`,
    year,
    amountSen: 18_750_000,
    status,
    dueDate: `${year}-12-31`,
    paymentDate: status === 'lunas' ? new Date(createdAt).toISOString().slice(0, 10) : null,
    proofFile,
    createdAt,
    updatedAt: createdAt,
    ...checkOf(state, createdAt),
  };
}

async function insertConversation(
  tx: Transaction,
  random: SeededRandom,
  user: NewUser,
  admins: NewUser[],
  index: number,
): Promise<void> {
  const lines = SAMPLE_CONVERSATIONS[index % SAMPLE_CONVERSATIONS.length] ?? [];
  const admin = random.pick(admins);
  let createdAtMs = Date.now() - (index * 7 + 1) * HOUR_MS;
  let prevId: number | null = null;
  const ordinals = { user: 0, admin: 0 };
  let unansweredSince: number | null = null;
  for (const [side, content] of lines) {
    const sender = side === 'user' ? user : admin;
    ordinals[side] += 1;
    const stored: { id: number } = await tx
      .insert(messages)
      .values({
        userId: user.id,
        senderId: sender.id,
        senderName: sender.name,
        fromAdmin: side === 'admin',
        content,
        clientId: null,
        prevId,
        sideOrdinal: ordinals[side],
        createdAt: createdAtMs,
      })
      .returning({ id: messages.id })
      .get();
    prevId = stored.id;
    unansweredSince = side === 'admin' ? null : (unansweredSince ?? createdAtMs);
    createdAtMs += random.integer(30, 400) * 1000;
  }
  const lastMessageId = prevId ?? 0;
  const answered = unansweredSince === null;
  await tx
    .update(conversations)
    .set({
      lastMessageId,
      userOrdinal: ordinals.user,
      adminOrdinal: ordinals.admin,
      userReadOrdinal: answered ? ordinals.admin : 0,
      adminReadOrdinal: answered ? ordinals.user : Math.max(0, ordinals.user - 1),
      adminSeenId: answered ? lastMessageId : Math.max(0, lastMessageId - 1),
      userSeenId: answered ? lastMessageId : 0,
      adminDeliveredId: lastMessageId,
      userDeliveredId: answered ? lastMessageId : 0,
      unansweredSince,
    })
    .where(eq(conversations.userId, user.id))
    .run();
}

/** Serves the database on a free port of this computer, as long as the sample data is made. */
async function openServer(database: DatabaseHandle, folder: DataFolder, settings: Settings) {
  const { server } = await buildApp({
    settings: { ...settings, rateLimits: false },
    database,
    secret: newId(),
    proofsDir: folder.proofsDir,
    resources: programResources(),
    backups: {
      paths: { ...folder, dataDir: settings.dataDir },
      settings: { ...settings.backup, everyHours: 0, secondDir: null },
      start: () => {
        throw new Error('no backup is made of sample data');
      },
    },
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => server.close() };
}

async function main(): Promise<void> {
  const result = readSettings();
  if (!result.ok) throw new Error(result.problems.join('\n'));
  process.umask(0o077);
  const folder = openDataFolder(result.settings.dataDir);
  const database = openDatabase(folder.databaseFile);
  const { orm, sqlite } = database;
  migrate(sqlite, programResources(), () => undefined);
  if (await orm.select({ id: users.id }).from(users).limit(1).get()) {
    throw new Error(
      `DATA_DIR: database di "${result.settings.dataDir}" sudah berisi; data contoh hanya untuk database kosong.`,
    );
  }

  const random = createSeededRandom(2026);
  const passwordHash = await hashPassword(SAMPLE_PASSWORD);
  const { admins, normalUsers, examples } = buildUsers(random, passwordHash);
  const records = buildRecords(random, normalUsers, folder.proofsDir);
  await createWriteQueue(database).write(async (tx) => {
    for (const user of [...admins, ...normalUsers]) await tx.insert(users).values(user).run();
    await tx
      .insert(officeIdentity)
      .values({ id: 1, ...OFFICE, updatedAt: Date.now() })
      .run();
    for (const record of records) await tx.insert(taxRecords).values(record).run();
    for (const [index, example] of examples.entries()) {
      await tx.insert(users).values(example.owner).run();
      await tx
        .insert(taxRecords)
        .values(buildExampleRecord(example, index, folder.proofsDir))
        .run();
    }
    // The sample users have accepted the texts, so that no page asks for it.
    for (const { id } of [...normalUsers, ...examples.map(({ owner }) => owner)])
      for (const text of presentTexts) await insertConsent(tx, id, text, Date.now());
    // The oldest conversation comes first, because message ids must grow with time.
    for (let index = 24; index >= 0; index -= 1)
      await insertConversation(tx, random, normalUsers[index] as NewUser, admins, index);
  });
  const year = new Date().getFullYear();
  const objects = buildSampleObjects(random, year);
  const list = { bytes: await writeSampleList(objects, year, false), fileName: `dhkp-${year}.xlsx`, year };
  const server = await openServer(database, folder, result.settings);
  const office = await signIn(server.url, admins[0]?.email ?? '', SAMPLE_PASSWORD);
  const { counts } = await importSampleList(office, list, admins[2]?.id ?? '');
  const askers = await Promise.all(
    normalUsers.slice(0, 3).map(({ email }) => signIn(server.url, email, SAMPLE_PASSWORD)),
  );
  await linkSampleObjects(office, askers, year);
  await server.close();
  const laterFile = join(result.settings.dataDir, `contoh-dhkp-${year}.xlsx`);
  writeFileSync(laterFile, await writeSampleList(buildLaterObjects(random, objects), year, true));
  sqlite.close();
  folder.release();

  printLine(
    `Data contoh dibuat: ${admins.length} administrator, ${normalUsers.length} + ${examples.length} warga, ${records.length} + ${examples.length} data PBB, 25 percakapan.`,
  );
  printLine(`Daftar objek (DHKP) ${year}: ${counts.new} objek. Berkas untuk mencoba 'Impor daftar': ${laterFile}`);
  printLine(`Masuk sebagai administrator: ${admins[0]?.email}`);
  printLine(`Masuk sebagai warga:         ${normalUsers[0]?.email} (sampai warga${USER_COUNT}@contoh.id)`);
  printLine(`Warga untuk setiap status dan pencocokan: ${examples[0]?.owner.email} dan ${examples.length - 1} lainnya`);
  printLine(`Password semuanya:           ${SAMPLE_PASSWORD}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
