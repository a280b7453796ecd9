import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BackupsData } from '#shared/api/system.ts';
import { COPY_POLL, hashTables, startCopiedOffice, stopProcess } from '#server/testing/program/copied-office.ts';
import { runProgram, type ProgramResult } from '#server/testing/program/run-program.ts';
import { withDatabase } from '#server/testing/with-database.ts';

const PROOF = '0b0e7a53-9f0c-4f6e-8f2a-5f1f5b1b6c11.jpg';

const run = (dataDir: string, args: string[], env: Record<string, string> = {}): Promise<ProgramResult> =>
  runProgram([...args, '--data', dataDir], { env });

const readStatus = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('restore of a running copy', () => {
  it('moves an office to a new computer, where everybody stays signed in', async () => {
    const { dataDir, secondDir, folder, start, server, admin } = await startCopiedOffice();
    // As the server does: the copy may look at this instant, and takes each name once.
    writeFileSync(join(dataDir, 'proof.part'), randomBytes(10_000));
    renameSync(join(dataDir, 'proof.part'), join(dataDir, 'proofs', PROOF));
    writeFileSync(
      join(dataDir, 'setelan.env'),
      'APP_TIMEZONE=Asia/Makassar\nPORT=8080\nexport BACKUP_SECOND_DIR=/mnt/usb\n',
    );
    await stopProcess(server);
    const before = readdirSync(folder, { recursive: true }).map(String).toSorted();
    expect(before).toEqual(expect.arrayContaining(['pbb.sqlite', 'secret', 'instalasi.json', `proofs/${PROOF}`]));

    const otherDir = join(dataDir, '../other');
    const refused = start(otherDir);
    expect(await refused.exit()).toBe(1);
    expect(refused.output.stderr).toContain(`Di ${secondDir} ada salinan berjalan dari `);
    expect(refused.output.stderr).toContain(
      ` restore "${folder}", atau mulai kantor baru dengan BACKUP_RUNNING_COPY=off.`,
    );
    expect(existsSync(otherDir)).toBe(false);

    const listed = await run(otherDir, ['restore'], { BACKUP_SECOND_DIR: secondDir });
    expect(listed.stdout).toMatch(/^Salinan berjalan {2}\S.* {2}\((baru saja|\d+ detik yang lalu)\)$/m);

    // The name alone is looked for in the second folder.
    const restored = await run(otherDir, ['restore', 'salinan-berjalan', '--ya'], { BACKUP_SECOND_DIR: secondDir });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain('Semua pengguna tetap masuk seperti sebelumnya.');
    expect(restored.stdout).toContain('baris BACKUP_SECOND_DIR, PORT, dan TLS dimatikan');
    expect(restored.stdout).not.toContain('Data sebelumnya');
    expect(readFileSync(join(otherDir, 'setelan.env'), 'utf8')).toMatch(
      /^APP_TIMEZONE=Asia\/Makassar\n# PORT=8080\n# export BACKUP_SECOND_DIR=\/mnt\/usb$/m,
    );
    expect(hashTables(otherDir)).toEqual(hashTables(dataDir));
    expect(readFileSync(join(otherDir, 'proofs', PROOF)).equals(readFileSync(join(dataDir, 'proofs', PROOF)))).toBe(
      true,
    );
    expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual(before);

    const moved = start(otherDir);
    expect(await readStatus((await moved.ready()).url, admin.token)).toBe(200);
    await stopProcess(moved);
    // The former computer comes back: it must not write over what is newer.
    const returned = start();
    await returned.ready();
    await expect
      .poll(() => returned.output.stdout, COPY_POLL)
      .toContain(`Salinan di ${secondDir} lebih baru: kantor ini mungkin sudah pindah ke komputer lain.`);
    // Nor may it write archives there, or delete those of the new computer.
    writeFileSync(join(secondDir, 'pbb-kita-20200101-000000.tar'), 'x');
    const headers = { authorization: `Bearer ${admin.token}` };
    const backups = `${(await returned.ready()).url}/api/admin/backups`;
    expect((await fetch(backups, { method: 'POST', headers })).status).toBe(200);
    const readFailure = async () =>
      ((await (await fetch(backups, { headers })).json()) as { data: BackupsData }).data.status.second_folder?.failure;
    const refusal = `Salinan di ${secondDir} lebih baru: kantor ini mungkin sudah pindah ke komputer lain.`;
    await expect.poll(readFailure, COPY_POLL).toBe(refusal);
    await stopProcess(returned);
    const byHand = await run(dataDir, ['backup'], { BACKUP_SECOND_DIR: secondDir, BACKUP_RUNNING_COPY: 'off' });
    expect(byHand).toMatchObject({ code: 1, stderr: `Salinan kedua gagal: ${refusal}\n` });
    expect(readdirSync(secondDir).toSorted()).toEqual(['pbb-kita-20200101-000000.tar', 'salinan-berjalan']);
  });

  it('refuses a copy that is damaged, unfinished or lacks a file, and changes nothing then', async () => {
    const { dataDir, folder, server } = await startCopiedOffice();
    await stopProcess(server);
    const broken = join(dataDir, '../broken');
    const target = join(dataDir, '../target');
    const tryRestore = async (change: () => void): Promise<string> => {
      rmSync(broken, { recursive: true, force: true });
      cpSync(folder, broken, { recursive: true });
      change();
      const { code, stderr } = await run(target, ['restore', broken, '--ya']);
      expect(code).toBe(1);
      expect(readdirSync(target).filter((name) => /pbb|part|secret/.test(name))).toEqual([]);
      return stderr;
    };
    expect(await tryRestore(() => writeFileSync(join(broken, 'pbb.sqlite'), randomBytes(8192)))).toMatch(
      /^Salinan ini rusak \(.*\)\. Pilih cadangan lain\.\nTidak ada data yang diubah\.\n$/,
    );
    expect(
      await tryRestore(() => {
        const state = JSON.parse(readFileSync(join(broken, 'salinan.json'), 'utf8')) as object;
        writeFileSync(join(broken, 'salinan.json'), JSON.stringify({ ...state, atMs: null }));
      }),
    ).toContain('belum pernah selesai dibuat');
    expect(
      await tryRestore(() =>
        withDatabase(broken, (sqlite) =>
          sqlite
            .prepare(
              `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status,
               proof_file, created_at, updated_at) select 'x', id, 'x', 'x', 'PBB', 'x', 2025, 1, 'lunas', ?, 1, 1 from users limit 1`,
            )
            .run(PROOF),
        ),
      ),
    ).toContain('Salinan ini kehilangan 1 foto atau dokumen.');
    const signedOut = await run(target, ['restore', folder, '--ya', '--keluarkan-semua']);
    expect(signedOut.stdout).toContain('Semua pengguna harus login lagi.');
    expect(withDatabase(target, (sqlite) => sqlite.prepare('select count(*) from sessions').pluck().get())).toBe(0);
  });
});
