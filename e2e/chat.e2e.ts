import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import {
  bubble,
  deskField,
  launcher,
  listPane,
  lookAway,
  lookBack,
  openChat,
  openWidget,
  panel,
  PHONE,
  residentField,
  row,
  sendAsAdmin,
  sendAsResident,
  test,
  texts,
  ticks,
  toast,
  write,
} from './people.ts';

const READY = 'Chat siap! Anda akan mendapat notifikasi untuk pesan baru.';
const DELETE_TEXT = 'Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?';

const typingLine = (page: Page, name: string) => page.getByRole('log').getByText(`${name} sedang mengetik…`);
const choose = (page: Page, label: string) => listPane(page).getByText(label, { exact: true }).click();

test.describe('the resident’s widget', () => {
  test('opens with its own words, over the whole of a phone', async ({ newResident, admin, visit }) => {
    const resident = await newResident();
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    await openWidget(phone);
    await expect(panel(phone).getByRole('heading', { name: 'Live Chat' })).toBeVisible();
    await expect(panel(phone).getByText('Mulai percakapan dengan admin')).toBeVisible();
    await expect(toast(phone, READY)).toBeVisible();
    await expect(residentField(phone)).toBeVisible();
    await expect(panel(phone).getByRole('button', { name: 'Kirim' })).toBeDisabled();
    expect(await panel(phone).boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    await expect(panel(phone).getByText('Admin sedang aktif')).toHaveCount(0);

    const office = await visit(admin, '/admin/dashboard');
    await expect(panel(phone).getByText('Admin sedang aktif')).toBeVisible();
    await office.close();
    await expect(panel(phone).getByText('Admin sedang aktif')).toHaveCount(0);

    // It greets once per visit.
    await expect(toast(phone, READY)).toHaveCount(0);
    await panel(phone).getByRole('button', { name: 'Tutup Live Chat' }).click();
    await expect(panel(phone)).toHaveCount(0);
    await openWidget(phone);
    await expect(panel(phone).getByText('Mulai percakapan dengan admin')).toBeVisible();
    await expect(toast(phone, READY)).toHaveCount(0);
  });

  test('follows its owner over every page, and no administrator', async ({ newResident, admin, visit }) => {
    const resident = await newResident();
    const desk = await visit(resident, '/dashboard');
    for (const path of ['/dashboard', '/tax-records', '/tax-records/create', '/reports', '/account']) {
      await desk.goto(path);
      await expect(launcher(desk), path).toBeVisible();
    }
    const office = await visit(admin, '/dashboard');
    // By then it would be there.
    await office.waitForLoadState('networkidle');
    await expect(office.getByText('User Panel')).toBeVisible();
    await expect(launcher(office)).toHaveCount(0);
  });

  test('shows what was written as text and nothing else', async ({ office, newResident, admin, visit }) => {
    const resident = await newResident();
    const attack = '<img src=x onerror="document.title=\'jahat\'"><b>tebal</b>';
    await write(office, resident, admin, attack);
    await write(office, resident, admin, 'Lihat https://pbb.contoh.id/panduan. javascript:alert(1)');
    await write(office, resident, admin, `${'panjang'.repeat(60)} 👨‍👩‍👧‍👦`);
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    await openWidget(phone);
    const desk = await visit(admin, `/admin/chat?user=${resident.id}`);
    for (const page of [phone, desk]) {
      await expect(texts(page).first()).toHaveText(attack);
      await expect(page.getByRole('log').locator('img, b')).toHaveCount(0);
      await expect(page).not.toHaveTitle('jahat');
      const links = page.getByRole('log').getByRole('link');
      await expect(links).toHaveCount(1);
      await expect(links).toHaveAttribute('href', 'https://pbb.contoh.id/panduan');
      await expect(links).toHaveAttribute('rel', /noopener noreferrer/);
      await expect(links).toHaveAttribute('target', '_blank');
      const log = page.getByRole('log');
      await expect(bubble(page, '👨‍👩‍👧‍👦')).toBeVisible();
      expect(await log.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    }
    await expect(row(desk, resident)).toContainText('👨‍👩‍👧‍👦');
  });
});

test.describe('a resident and two administrators', () => {
  test('hear each other at once, under their names', async ({ newResident, newColleague, admin, visit }) => {
    const resident = await newResident('Siti Aminah');
    const colleague = await newColleague('Pak Joko');
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    const first = await visit(admin, '/admin/chat');
    const second = await visit(colleague, '/admin/chat');
    await expect(row(first, resident)).toContainText('Belum ada pesan');
    await expect(row(second, resident)).toContainText('Belum ada pesan');
    await expect(first.getByText('Pilih user untuk chat')).toBeVisible();
    await expect(first.getByText(/^\d+ pengguna terdaftar$/)).toBeVisible();
    await expect(row(first, resident).getByText('Online', { exact: true })).toBeVisible();
    await openWidget(phone);

    await sendAsResident(phone, 'Selamat pagi, Bu');
    await Promise.all(
      [first, second].map((desk) => expect(row(desk, resident)).toContainText('Selamat pagi, Bu', { timeout: 2000 })),
    );
    await openChat(first, resident);
    await openChat(second, resident);
    await expect(texts(first)).toHaveText(['Selamat pagi, Bu']);
    await expect(first.getByRole('log').getByText('Hari ini')).toBeVisible();
    await expect(first.getByText('Pak Joko juga melihat percakapan ini')).toBeVisible();
    await expect(second.getByText(`${admin.name} juga melihat percakapan ini`)).toBeVisible();

    await sendAsAdmin(first, 'Selamat pagi, ada yang bisa dibantu?');
    await expect(bubble(phone, 'ada yang bisa dibantu?')).toContainText(admin.name, { timeout: 2000 });
    await expect(bubble(second, 'ada yang bisa dibantu?')).toContainText(admin.name);
    await sendAsAdmin(second, 'Saya juga di sini');
    await expect(bubble(first, 'Saya juga di sini')).toContainText('Pak Joko');
    await expect(bubble(phone, 'Saya juga di sini')).toContainText('Pak Joko');
    const all = ['Selamat pagi, Bu', 'Selamat pagi, ada yang bisa dibantu?', 'Saya juga di sini'];
    for (const page of [phone, first, second]) await expect(texts(page)).toHaveText(all);

    await second.getByRole('button', { name: 'Kembali (Back)' }).click();
    await expect(first.getByText('Pak Joko juga melihat percakapan ini')).toHaveCount(0);
  });

  test('see who types', async ({ newResident, newColleague, admin, visit }) => {
    const resident = await newResident('Wahyu Pratama');
    const colleague = await newColleague('Bu Sri');
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    const first = await visit(admin, `/admin/chat?user=${resident.id}`);
    const second = await visit(colleague, '/admin/chat');
    await openWidget(phone);
    await expect(panel(phone).getByText('Admin sedang aktif')).toBeVisible();
    await expect(row(second, resident)).toBeVisible();

    await residentField(phone).pressSequentially('Saya ingin');
    await expect(typingLine(first, resident.name)).toBeVisible();
    await expect(row(second, resident)).toContainText('sedang mengetik…');
    await residentField(phone).fill('');
    await expect(typingLine(first, resident.name)).toHaveCount(0);
    await expect(row(second, resident)).not.toContainText('sedang mengetik…');

    await deskField(first).pressSequentially('Baik');
    await expect(typingLine(phone, admin.name)).toBeVisible();
    await expect(row(second, resident)).toContainText(`${admin.name} sedang mengetik…`);
    await deskField(first).press('Enter');
    await expect(typingLine(phone, admin.name)).toHaveCount(0);
    await expect(texts(phone)).toHaveText(['Baik']);
  });

  test('see how far a message has come', async ({ newResident, admin, visit }) => {
    const resident = await newResident('Tri Handayani');
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    await openWidget(phone);
    await sendAsResident(phone, 'Sudah saya bayar');
    const sign = ticks(phone, 'Sudah saya bayar');
    const colour = () => sign.locator('svg').evaluate((icon) => getComputedStyle(icon).color);
    await expect(sign).toHaveAttribute('data-delivery', 'stored');

    const desk = await visit(admin, '/admin/chat');
    await expect(row(desk, resident)).toContainText('Sudah saya bayar');
    await expect(sign).toHaveAttribute('data-delivery', 'delivered');
    const plain = await colour();
    await openChat(desk, resident);
    await expect(sign).toHaveAttribute('data-delivery', 'read');
    expect(await colour()).not.toBe(plain);

    await sendAsAdmin(desk, 'Terima kasih');
    await expect(ticks(desk, 'Terima kasih')).toHaveAttribute('data-delivery', 'read');
  });
});

test.describe('unread', () => {
  test('messages are counted up to 9+, and reading in one tab clears the other', async ({
    office,
    newResident,
    admin,
    visit,
  }) => {
    const resident = await newResident('Rina Wulandari');
    const tab = await visit(resident, '/dashboard');
    const other = await tab.context().newPage();
    await other.goto('/reports');
    await expect(launcher(tab)).toHaveAccessibleName('Buka Live Chat');
    for (let number = 1; number <= 9; number += 1) await write(office, admin, resident, `Pesan ${number}`);
    for (const page of [tab, other]) await expect(launcher(page)).toHaveText('9');
    await write(office, admin, resident, 'Pesan 10');
    for (const page of [tab, other]) {
      await expect(launcher(page)).toHaveText('9+');
      await expect(launcher(page)).toHaveAccessibleName('Buka Live Chat, 10 pesan belum dibaca');
    }
    await openWidget(tab);
    await expect(texts(tab)).toHaveCount(10);
    await expect(launcher(other)).toHaveAccessibleName('Buka Live Chat');
  });

  test('of one administrator is read for all of them', async ({ office, newResident, newColleague, admin, visit }) => {
    const resident = await newResident('Agus Setiawan');
    const colleague = await newColleague('Pak Hadi');
    for (let number = 1; number <= 12; number += 1) await write(office, resident, admin, `Pesan ${number}`);
    const first = await visit(admin, '/admin/chat');
    const second = await visit(colleague, '/admin/chat');
    for (const desk of [first, second]) {
      await expect(row(desk, resident).getByText('9+', { exact: true })).toBeVisible();
      await expect(row(desk, resident)).toContainText('12 pesan belum dibaca');
    }
    await openChat(first, resident);
    await expect(texts(first)).toHaveCount(12);
    await expect(row(first, resident)).not.toContainText('belum dibaca');
    await expect(row(second, resident)).not.toContainText('belum dibaca');
  });

  test('marks the tab’s title until somebody looks', async ({ office, newResident, admin, visit }) => {
    const resident = await newResident('Dewi Lestari');
    const tab = await visit(resident, '/dashboard');
    await expect(launcher(tab)).toHaveAccessibleName('Buka Live Chat');
    const desk = await visit(admin, '/admin/dashboard');
    await expect(desk.getByRole('heading', { level: 1 })).toContainText('Selamat datang');
    await expect(desk).toHaveTitle(/^Dashboard/);
    for (const page of [tab, desk]) await lookAway(page);
    await write(office, admin, resident, 'Halo');
    await write(office, admin, resident, 'Masih di sana?');
    await expect(tab).toHaveTitle(/^\(2\) Dashboard/);
    await lookBack(tab);
    await expect(tab).toHaveTitle(/^Dashboard/);
    await write(office, resident, admin, 'Ya, Bu');
    await expect(desk).toHaveTitle(/^\(1\) Dashboard/);
    await lookBack(desk);
    await expect(desk).toHaveTitle(/^Dashboard/);
  });
});

test.describe('the desk', () => {
  test('filters what nobody has read or answered, and searches', async ({ office, newResident, admin, visit }) => {
    const waiting = await newResident('Bambang Menunggu');
    const answered = await newResident('Yuni Terjawab');
    const silent = await newResident('Eko Diam');
    await write(office, waiting, admin, 'Mohon dibantu');
    await write(office, answered, admin, 'Terima kasih banyak');
    await write(office, admin, answered, 'Sama-sama');
    const desk = await visit(admin, '/admin/chat');
    for (const person of [waiting, answered]) await expect(row(desk, person)).toBeVisible();
    await expect(row(desk, answered)).toContainText('Anda: Sama-sama');

    await choose(desk, 'Belum dibalas');
    await expect(row(desk, answered)).toHaveCount(0);
    await expect(row(desk, silent)).toHaveCount(0);
    await openChat(desk, waiting);
    await expect(row(desk, waiting)).not.toContainText('belum dibaca');
    await desk.getByRole('button', { name: 'Kembali (Back)' }).click();
    await expect(row(desk, waiting)).toBeVisible();

    await choose(desk, 'Belum dibaca');
    await expect(row(desk, waiting)).toHaveCount(0);
    await write(office, waiting, admin, 'Halo lagi');
    await expect(row(desk, waiting)).toContainText('1 pesan belum dibaca');

    await choose(desk, 'Belum dibalas');
    await openChat(desk, waiting);
    await sendAsAdmin(desk, 'Sudah saya periksa');
    await expect(ticks(desk, 'Sudah saya periksa')).toHaveAttribute('data-delivery', /stored|delivered/);
    await desk.getByRole('button', { name: 'Kembali (Back)' }).click();
    await expect(row(desk, waiting)).toHaveCount(0);

    await choose(desk, 'Semua');
    const search = listPane(desk).getByRole('searchbox', { name: 'Cari nama atau email' });
    await search.fill('yuni terj');
    await expect(row(desk, waiting)).toHaveCount(0);
    await expect(row(desk, answered)).toBeVisible();
    await search.fill(silent.email);
    // Whoever has never written comes last, perhaps far below.
    await expect(row(desk, silent)).toContainText('Belum ada pesan');
    await expect(row(desk, answered)).toHaveCount(0);
    await search.fill('tidak ada yang bernama begini');
    await expect(desk.getByText('Tidak ada yang cocok')).toBeVisible();
    await search.press('Escape');
    await expect(row(desk, waiting)).toBeVisible();
  });

  test('says what is behind while somebody reads above', async ({ office, newResident, admin, visit }) => {
    const resident = await newResident('Hendra Gunawan');
    for (let number = 1; number <= 40; number += 1) await write(office, resident, admin, `Baris nomor ${number};`);
    const desk = await visit(admin, `/admin/chat?user=${resident.id}`);
    await expect(texts(desk)).toHaveCount(40);
    await expect(bubble(desk, 'Baris nomor 40;')).toBeInViewport();
    const down = desk.getByRole('button', { name: /^Ke bawah/ });
    await expect(down).toHaveCount(0);

    const log = desk.getByRole('log');
    // The wheel rolls out over a moment; its end is heard only by whoever listened before.
    const rolled = await log.evaluateHandle((box) => ({
      out: new Promise((resolve) => box.addEventListener('scrollend', resolve, { once: true })),
    }));
    await log.hover();
    await desk.mouse.wheel(0, -900);
    await rolled.evaluate(({ out }) => out.then(() => true));
    await expect(down).toHaveAccessibleName('Ke bawah');
    await expect(bubble(desk, 'Baris nomor 40;')).not.toBeInViewport();
    const position = () => log.evaluate((box) => box.scrollTop);
    const before = await position();
    await write(office, resident, admin, 'Baru satu');
    await write(office, resident, admin, 'Baru dua');
    await expect(down).toHaveAccessibleName('Ke bawah, 2 pesan baru');
    await expect(down).toHaveText('Ke bawah (2)');
    expect(await position()).toBe(before);
    await down.click();
    await expect(bubble(desk, 'Baru dua')).toBeInViewport();
    await expect(down).toHaveCount(0);
  });

  test('deletes a history for both sides after asking', async ({ office, newResident, admin, visit }) => {
    const resident = await newResident('Lestari Ningsih');
    await write(office, resident, admin, 'Hapus saya');
    const phone = await visit(resident, '/dashboard', { viewport: PHONE });
    await openWidget(phone);
    const desk = await visit(admin, `/admin/chat?user=${resident.id}`);
    await expect(texts(desk)).toHaveText(['Hapus saya']);
    await expect(texts(phone)).toHaveText(['Hapus saya']);
    const press = () => desk.getByRole('button', { name: 'Hapus riwayat chat' }).click();
    const question = desk.getByRole('dialog', { name: 'Hapus Chat dengan Lestari Ningsih' });
    await press();
    await expect(question.getByText(DELETE_TEXT, { exact: true })).toBeVisible();
    await question.getByRole('button', { name: 'Batal' }).click();
    await expect(question).toBeHidden();
    await expect(texts(phone)).toHaveText(['Hapus saya']);
    await press();
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(desk.getByText('Tidak ada pesan', { exact: true })).toBeVisible();
    await expect(desk.getByText('Mulai percakapan dengan user ini')).toBeVisible();
    await expect(panel(phone).getByText('Mulai percakapan dengan admin')).toBeVisible();
    await expect(texts(phone)).toHaveCount(0);
    await expect(row(desk, resident)).toContainText('Belum ada pesan');
    await sendAsResident(phone, 'Mulai lagi');
    await expect(texts(desk)).toHaveText(['Mulai lagi']);
  });
});

test('drafts survive a reload, one for each conversation', async ({ newResident, admin, visit }) => {
  const [resident, neighbour] = [await newResident('Indah Permata'), await newResident('Sari Melati')];
  const phone = await visit(resident, '/dashboard', { viewport: PHONE });
  await openWidget(phone);
  await residentField(phone).fill('Belum selesai');
  const desk = await visit(admin, '/admin/chat');
  await openChat(desk, resident);
  await deskField(desk).fill('Untuk Indah');
  await openChat(desk, neighbour);
  await expect(deskField(desk)).toHaveValue('');
  await expect(row(desk, resident)).toContainText('Draf: Untuk Indah');
  await deskField(desk).fill('Untuk Sari');
  await Promise.all([phone.reload(), desk.reload()]);
  await openWidget(phone);
  await expect(residentField(phone)).toHaveValue('Belum selesai');
  await expect(deskField(desk)).toHaveValue('Untuk Sari');
  await openChat(desk, resident);
  await expect(deskField(desk)).toHaveValue('Untuk Indah');
  await expect(texts(phone)).toHaveCount(0);
});
