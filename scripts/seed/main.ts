import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as newId } from 'uuid';
import { addYears } from '#shared/domain/dates.ts';
import { increaseTenPercentSen } from '#shared/domain/rupiah.ts';
import { conversations, messages, taxRecords, users } from '#server/db/schema.ts';
import { openDataFolder } from '#server/db/data-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase, type Orm } from '#server/db/open.ts';
import { hashPassword } from '#server/passwords.ts';
import { programResources } from '#server/files/program-resources.ts';
import { readSettings } from '#server/settings.ts';
import { eq } from 'drizzle-orm';
import { createChance, type Chance } from './chance.ts';
import { drawReceipt } from './receipt-image.ts';
import { DESCRIPTIONS, FIRST_NAMES, LAST_NAMES, NOTES, STREETS, TALKS, VILLAGES } from './words.ts';

const PASSWORD = 'kata-sandi-contoh';
const RESIDENTS = 60;
const RECORDS = 400;
const DAY_MS = 24 * 60 * 60 * 1000;
const PROPERTY_TYPES = ['rumah_tinggal', 'kantor', 'gudang', 'lahan_kosong', 'toko', 'pabrik', null] as const;

type Person = typeof users.$inferInsert;
type RecordRow = typeof taxRecords.$inferInsert;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function makePeople(chance: Chance, passwordHash: string): { admins: Person[]; residents: Person[] } {
  const person = (name: string, email: string, isAdmin: boolean, createdAt: number): Person => ({
    id: newId(),
    name,
    email,
    passwordHash,
    isAdmin,
    isActive: true,
    createdAt,
    updatedAt: createdAt,
  });
  const opened = Date.parse('2022-01-03T02:00:00Z');
  const admins = ['Ratna Dewi', 'Hendra Gunawan', 'Fitri Handayani'].map((name, index) =>
    person(name, `${name.split(' ')[0]?.toLowerCase()}@pbb.local`, true, opened + index * DAY_MS),
  );
  const residents = Array.from({ length: RESIDENTS }, (_, index) => {
    const first = FIRST_NAMES[index % FIRST_NAMES.length];
    const last = chance.pick(LAST_NAMES);
    const made = person(`${first} ${last}`, `warga${index + 1}@contoh.id`, false, opened + index * 3 * DAY_MS);
    return { ...made, isActive: index % 20 !== 19 };
  });
  return { admins, residents };
}

/** One property of a resident through the years, each year recorded in its own January to June. */
function makeProperty(chance: Chance, owner: Person, number: number): RecordRow[] {
  const firstYear = chance.integer(2022, 2025);
  const base = {
    name: chance.happens(0.8) ? owner.name : `${chance.pick(FIRST_NAMES)} ${chance.pick(LAST_NAMES)}`,
    address: `${chance.pick(STREETS)} No. ${chance.integer(1, 120)}, Desa ${chance.pick(VILLAGES)}`,
    propertyType: chance.pick(PROPERTY_TYPES),
    sptNumber: `33.74.${String(chance.integer(10, 99))}.${String(number).padStart(4, '0')}.0`,
    description: chance.pick(DESCRIPTIONS),
  };
  let amountSen = chance.integer(60, 2400) * 100_000;
  const rows: RecordRow[] = [];
  // The last year of some is 2025: those are what the turn of the year makes records for.
  const lastYear = chance.happens(0.5) ? 2025 : 2026;
  for (let year = firstYear; year <= lastYear; year += 1) {
    const createdAt = Date.UTC(
      year,
      chance.integer(0, 5),
      chance.integer(1, 28),
      chance.integer(1, 9),
      chance.integer(0, 59),
    );
    const status =
      year < 2025
        ? chance.pick(['lunas', 'lunas', 'lunas', 'belum_lunas'] as const)
        : chance.pick(['lunas', 'belum_lunas', 'proses'] as const);
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
      dueDate: chance.happens(0.9) ? dueDate : null,
      paymentDate: paid ? `${year}-0${chance.integer(6, 9)}-1${chance.integer(0, 9)}` : null,
      notes: chance.pick(NOTES),
      predecessorId: rows.at(-1)?.id ?? null,
      createdAt,
      updatedAt: paid ? createdAt + chance.integer(1, 90) * DAY_MS : createdAt,
    });
    const previous = rows.at(-2);
    if (previous) previous.rolledOverAt = createdAt;
    amountSen = increaseTenPercentSen(amountSen);
  }
  return rows;
}

function makeRecords(chance: Chance, residents: Person[], proofsDir: string): RecordRow[] {
  const records: RecordRow[] = [];
  for (let number = 1; records.length < RECORDS; number += 1) {
    const owner = residents[number % residents.length] as Person;
    records.push(...makeProperty(chance, owner, number));
  }
  records.length = RECORDS;
  for (const [index, record] of records.entries()) {
    if (record.status === 'belum_lunas' || !chance.happens(0.5)) continue;
    record.proofFile = `${crypto.randomUUID()}.png`;
    writeFileSync(join(proofsDir, record.proofFile), drawReceipt(index));
  }
  return records;
}

function talk(orm: Orm, chance: Chance, resident: Person, admins: Person[], index: number): void {
  const lines = TALKS[index % TALKS.length] ?? [];
  const admin = chance.pick(admins);
  let at = Date.now() - index * 7 * 60 * 60 * 1000 - 60 * 60 * 1000;
  let prevId: number | null = null;
  const ordinals = { R: 0, K: 0 };
  let unansweredSince: number | null = null;
  for (const [who, content] of lines) {
    const sender = who === 'R' ? resident : admin;
    ordinals[who] += 1;
    const stored: { id: number } = orm
      .insert(messages)
      .values({
        userId: resident.id,
        senderId: sender.id,
        senderName: sender.name,
        fromAdmin: who === 'K',
        content,
        clientId: null,
        prevId,
        sideOrdinal: ordinals[who],
        createdAt: at,
      })
      .returning({ id: messages.id })
      .get();
    prevId = stored.id;
    unansweredSince = who === 'K' ? null : (unansweredSince ?? at);
    at += chance.integer(30, 400) * 1000;
  }
  const lastMessageId = prevId ?? 0;
  const answered = unansweredSince === null;
  orm
    .update(conversations)
    .set({
      lastMessageId,
      userOrdinal: ordinals.R,
      adminOrdinal: ordinals.K,
      userReadOrdinal: answered ? ordinals.K : 0,
      adminReadOrdinal: answered ? ordinals.R : Math.max(0, ordinals.R - 1),
      adminSeenId: answered ? lastMessageId : Math.max(0, lastMessageId - 1),
      userSeenId: answered ? lastMessageId : 0,
      adminDeliveredId: lastMessageId,
      userDeliveredId: answered ? lastMessageId : 0,
      unansweredSince,
    })
    .where(eq(conversations.userId, resident.id))
    .run();
}

async function main(): Promise<void> {
  const result = readSettings();
  if (!result.ok) throw new Error(result.problems.join('\n'));
  process.umask(0o077);
  const folder = openDataFolder(result.settings.dataDir);
  const { orm, sqlite } = openDatabase(folder.databaseFile);
  migrate(sqlite, programResources(), () => undefined);
  if (orm.select({ id: users.id }).from(users).limit(1).get()) {
    throw new Error(
      `DATA_DIR: database di "${result.settings.dataDir}" sudah berisi; data contoh hanya untuk database kosong.`,
    );
  }

  const chance = createChance(2026);
  const passwordHash = await hashPassword(PASSWORD);
  const { admins, residents } = makePeople(chance, passwordHash);
  const records = makeRecords(chance, residents, folder.proofsDir);
  orm.transaction((tx) => {
    for (const person of [...admins, ...residents]) tx.insert(users).values(person).run();
    for (const record of records) tx.insert(taxRecords).values(record).run();
    // Oldest talk first: ids grow in the order in which messages came.
    for (let index = 24; index >= 0; index -= 1) talk(tx, chance, residents[index] as Person, admins, index);
  });
  sqlite.close();
  folder.release();

  say(
    `Data contoh dibuat: ${admins.length} administrator, ${residents.length} warga, ${records.length} data PBB, 25 percakapan.`,
  );
  say(`Masuk sebagai administrator: ${admins[0]?.email}`);
  say(`Masuk sebagai warga:         ${residents[0]?.email} (sampai warga${RESIDENTS}@contoh.id)`);
  say(`Password semuanya:           ${PASSWORD}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
