import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import {
  bubble,
  adminMessageField,
  launcher,
  conversationList,
  blurWindow,
  focusWindow,
  openConversation,
  openWidget,
  panel,
  PHONE,
  userMessageField,
  conversationRow,
  sendAsAdmin,
  sendAsUser,
  test,
  messageTexts,
  ticks,
  toast,
  sendMessageByApi,
} from './chat-page.ts';

const READY_TEXT = 'Chat siap! Anda akan mendapat notifikasi untuk pesan baru.';
const ABSENT_TEXT = 'Admin sedang tidak aktif. Pesan Anda tersimpan dan dibalas secepatnya.';
const DELETE_TEXT = 'Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?';

const typingLine = (page: Page, name: string) => page.getByRole('log').getByText(`${name} sedang mengetik…`);
const chooseFilter = (page: Page, label: string) =>
  conversationList(page)
    .getByRole('radio', { name: new RegExp(`^${label}`) })
    .check();

test.describe('the chat widget of a user', () => {
  test('opens with its texts, and covers the whole screen of a phone', async ({
    user,
    admin,
    openInNewContext,
    openPhoneChat,
  }) => {
    const phone = await openPhoneChat(user);
    await expect(panel(phone).getByRole('heading', { name: 'Live Chat' })).toBeVisible();
    await expect(panel(phone).getByText('Mulai percakapan dengan admin')).toBeVisible();
    await expect(toast(phone, READY_TEXT)).toBeVisible();
    await expect(userMessageField(phone)).toBeVisible();
    await expect(panel(phone).getByRole('button', { name: 'Kirim' })).toBeDisabled();
    await expect.poll(() => panel(phone).boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    await expect(panel(phone).getByText('Admin sedang aktif')).toHaveCount(0);
    await expect(panel(phone).getByText(ABSENT_TEXT)).toBeVisible();

    const testServer = await openInNewContext(admin, '/admin/dashboard');
    await expect(panel(phone).getByText('Admin sedang aktif')).toBeVisible();
    await testServer.close();
    await expect(panel(phone).getByText(ABSENT_TEXT)).toBeVisible();

    // It greets once per visit.
    await expect(toast(phone, READY_TEXT)).toHaveCount(0);
    await panel(phone).getByRole('button', { name: 'Tutup Live Chat' }).click();
    await expect(panel(phone)).toHaveCount(0);
    await openWidget(phone);
    await expect(panel(phone).getByText('Mulai percakapan dengan admin')).toBeVisible();
    await expect(toast(phone, READY_TEXT)).toHaveCount(0);
  });

  test('appears on every page of a user and on no page of an admin', async ({ user, admin, openInNewContext }) => {
    const adminPage = await openInNewContext(user, '/dashboard');
    for (const path of ['/dashboard', '/tax-records', '/tax-records/create', '/reports', '/account']) {
      await adminPage.goto(path);
      await expect(launcher(adminPage), path).toBeVisible();
    }
    const testServer = await openInNewContext(admin, '/dashboard');
    // By then it would be there.
    await testServer.waitForLoadState('networkidle');
    await expect(testServer.getByText('User Panel')).toBeVisible();
    await expect(launcher(testServer)).toHaveCount(0);
  });

  test('shows a message as plain text, never as HTML', async ({
    testServer,
    user,
    admin,
    openInNewContext,
    openPhoneChat,
  }) => {
    const attack = '<img src=x onerror="document.title=\'jahat\'"><b>tebal</b>';
    await sendMessageByApi(testServer, user, admin, attack);
    await sendMessageByApi(testServer, user, admin, 'Lihat https://pbb.contoh.id/panduan. javascript:alert(1)');
    await sendMessageByApi(testServer, user, admin, `${'panjang'.repeat(60)} 👨‍👩‍👧‍👦`);
    const phone = await openPhoneChat(user);
    const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
    for (const page of [phone, adminPage]) {
      await expect(messageTexts(page).first()).toHaveText(attack);
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
    await expect(conversationRow(adminPage, user)).toContainText('👨‍👩‍👧‍👦');
  });
});

test.describe('a user and two admins', () => {
  test('get each other’s messages at once, by name', async ({ registerUser, createAdmin, admin, openInNewContext }) => {
    const user = await registerUser('Siti Aminah');
    const colleague = await createAdmin('Pak Joko');
    const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
    const first = await openInNewContext(admin, '/admin/chat');
    const second = await openInNewContext(colleague, '/admin/chat');
    await expect(conversationRow(first, user)).toContainText('Belum ada pesan');
    await expect(conversationRow(second, user)).toContainText('Belum ada pesan');
    await expect(first.getByText('Pilih user untuk chat')).toBeVisible();
    await expect(first.getByText(/^\d+ pengguna terdaftar$/)).toBeVisible();
    await expect(conversationRow(first, user).getByText('Online', { exact: true })).toBeVisible();
    await openWidget(phone);

    await sendAsUser(phone, 'Selamat pagi, Bu');
    await Promise.all(
      [first, second].map((adminPage) => expect(conversationRow(adminPage, user)).toContainText('Selamat pagi, Bu')),
    );
    await openConversation(first, user);
    await openConversation(second, user);
    await expect(messageTexts(first)).toHaveText(['Selamat pagi, Bu']);
    await expect(first.getByRole('log').getByText('Hari ini')).toBeVisible();
    await expect(first.getByText('Pak Joko juga melihat percakapan ini')).toBeVisible();
    await expect(second.getByText(`${admin.name} juga melihat percakapan ini`)).toBeVisible();

    await sendAsAdmin(first, 'Selamat pagi, ada yang bisa dibantu?');
    await expect(bubble(phone, 'ada yang bisa dibantu?')).toContainText(admin.name);
    await expect(bubble(second, 'ada yang bisa dibantu?')).toContainText(admin.name);
    await sendAsAdmin(second, 'Saya juga di sini');
    await expect(bubble(first, 'Saya juga di sini')).toContainText('Pak Joko');
    await expect(bubble(phone, 'Saya juga di sini')).toContainText('Pak Joko');
    const all = ['Selamat pagi, Bu', 'Selamat pagi, ada yang bisa dibantu?', 'Saya juga di sini'];
    for (const page of [phone, first, second]) await expect(messageTexts(page)).toHaveText(all);

    await second.getByRole('button', { name: 'Kembali (Back)' }).click();
    await expect(first.getByText('Pak Joko juga melihat percakapan ini')).toHaveCount(0);
  });

  test('see who is typing', async ({ registerUser, createAdmin, admin, openInNewContext }) => {
    const user = await registerUser('Wahyu Pratama');
    const colleague = await createAdmin('Bu Sri');
    const phone = await openInNewContext(user, '/dashboard', { viewport: PHONE });
    const first = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
    const second = await openInNewContext(colleague, '/admin/chat');
    await openWidget(phone);
    await expect(panel(phone).getByText('Admin sedang aktif')).toBeVisible();
    await expect(conversationRow(second, user)).toBeVisible();
    // An event that comes before is lost.
    for (const page of [first, second]) await expect(page.getByTitle('Pesan baru tampil seketika.')).toBeVisible();

    await userMessageField(phone).pressSequentially('Saya ingin');
    // They show it for a few seconds.
    await Promise.all([
      expect(typingLine(first, user.name)).toBeVisible(),
      expect(conversationRow(second, user)).toContainText('sedang mengetik…'),
    ]);
    await userMessageField(phone).fill('');
    await expect(typingLine(first, user.name)).toHaveCount(0);
    await expect(conversationRow(second, user)).not.toContainText('sedang mengetik…');

    await adminMessageField(first).pressSequentially('Baik');
    await Promise.all([
      expect(typingLine(phone, admin.name)).toBeVisible(),
      expect(conversationRow(second, user)).toContainText(`${admin.name} sedang mengetik…`),
    ]);
    await adminMessageField(first).press('Enter');
    await expect(typingLine(phone, admin.name)).toHaveCount(0);
    await expect(messageTexts(phone)).toHaveText(['Baik']);
  });

  test('see how far a message was delivered', async ({ registerUser, admin, openInNewContext, openPhoneChat }) => {
    const user = await registerUser('Tri Handayani');
    const phone = await openPhoneChat(user);
    await sendAsUser(phone, 'Sudah saya bayar');
    const tick = ticks(phone, 'Sudah saya bayar');
    const colour = () => tick.locator('svg').evaluate((icon) => getComputedStyle(icon).color);
    await expect(tick).toHaveAttribute('data-delivery', 'stored');

    const adminPage = await openInNewContext(admin, '/admin/chat');
    await expect(conversationRow(adminPage, user)).toContainText('Sudah saya bayar');
    await expect(tick).toHaveAttribute('data-delivery', 'delivered');
    const plain = await colour();
    await openConversation(adminPage, user);
    await expect(tick).toHaveAttribute('data-delivery', 'read');
    await expect.poll(colour).not.toBe(plain);

    await sendAsAdmin(adminPage, 'Terima kasih');
    await expect(ticks(adminPage, 'Terima kasih')).toHaveAttribute('data-delivery', 'read');
  });
});

test.describe('unread messages', () => {
  test('count up to 9+, and reading them in one tab clears the count in the other', async ({
    testServer,
    registerUser,
    admin,
    openInNewContext,
  }) => {
    const user = await registerUser('Rina Wulandari');
    const tab = await openInNewContext(user, '/dashboard');
    const other = await tab.context().newPage();
    await other.goto('/reports');
    await expect(launcher(tab)).toHaveAccessibleName('Buka Live Chat');
    for (let number = 1; number <= 9; number += 1) await sendMessageByApi(testServer, admin, user, `Pesan ${number}`);
    for (const page of [tab, other]) await expect(launcher(page)).toHaveText('9');
    await sendMessageByApi(testServer, admin, user, 'Pesan 10');
    for (const page of [tab, other]) {
      await expect(launcher(page)).toHaveText('9+');
      await expect(launcher(page)).toHaveAccessibleName('Buka Live Chat, 10 pesan belum dibaca');
    }
    await openWidget(tab);
    await expect(messageTexts(tab)).toHaveCount(10);
    await expect(launcher(other)).toHaveAccessibleName('Buka Live Chat');
  });

  test('that one admin reads are read for all admins', async ({
    testServer,
    registerUser,
    createAdmin,
    admin,
    openInNewContext,
  }) => {
    const user = await registerUser('Agus Setiawan');
    const colleague = await createAdmin('Pak Hadi');
    for (let number = 1; number <= 12; number += 1) await sendMessageByApi(testServer, user, admin, `Pesan ${number}`);
    const first = await openInNewContext(admin, '/admin/chat');
    const second = await openInNewContext(colleague, '/admin/chat');
    for (const adminPage of [first, second]) {
      await expect(conversationRow(adminPage, user).getByText('9+', { exact: true })).toBeVisible();
      await expect(conversationRow(adminPage, user)).toContainText('12 pesan belum dibaca');
    }
    await openConversation(first, user);
    await expect(messageTexts(first)).toHaveCount(12);
    await expect(conversationRow(first, user)).not.toContainText('belum dibaca');
    await expect(conversationRow(second, user)).not.toContainText('belum dibaca');
  });

  test('mark the title of the tab until it has the focus', async ({
    testServer,
    registerUser,
    admin,
    openInNewContext,
  }) => {
    const user = await registerUser('Dewi Lestari');
    const tab = await openInNewContext(user, '/dashboard', { untilConnected: true });
    await expect(launcher(tab)).toHaveAccessibleName('Buka Live Chat');
    const adminPage = await openInNewContext(admin, '/admin/dashboard', { untilConnected: true });
    await expect(adminPage.getByRole('heading', { level: 1 })).toContainText('Selamat datang');
    await expect(adminPage).toHaveTitle(/^Dashboard/);
    for (const page of [tab, adminPage]) await blurWindow(page);
    await sendMessageByApi(testServer, admin, user, 'Halo');
    await sendMessageByApi(testServer, admin, user, 'Masih di sana?');
    await expect(tab).toHaveTitle(/^\(2\) Dashboard/);
    await focusWindow(tab);
    await expect(tab).toHaveTitle(/^Dashboard/);
    await sendMessageByApi(testServer, user, admin, 'Ya, Bu');
    await expect(adminPage).toHaveTitle(/^\(1\) Dashboard/);
    await focusWindow(adminPage);
    await expect(adminPage).toHaveTitle(/^Dashboard/);
  });
});

test.describe('the inbox', () => {
  test('filters unread and unanswered conversations, and searches', async ({
    testServer,
    registerUser,
    admin,
    openInNewContext,
  }) => {
    const unansweredUser = await registerUser('Bambang Menunggu');
    const answeredUser = await registerUser('Yuni Terjawab');
    const userWithoutMessages = await registerUser('Eko Diam');
    await sendMessageByApi(testServer, unansweredUser, admin, 'Mohon dibantu');
    await sendMessageByApi(testServer, answeredUser, admin, 'Terima kasih banyak');
    await sendMessageByApi(testServer, admin, answeredUser, 'Sama-sama');
    const adminPage = await openInNewContext(admin, '/admin/chat');
    for (const user of [unansweredUser, answeredUser]) await expect(conversationRow(adminPage, user)).toBeVisible();
    await expect(conversationRow(adminPage, answeredUser)).toContainText('Anda: Sama-sama');

    await chooseFilter(adminPage, 'Belum dibalas');
    await expect(conversationRow(adminPage, answeredUser)).toHaveCount(0);
    await expect(conversationRow(adminPage, userWithoutMessages)).toHaveCount(0);
    await openConversation(adminPage, unansweredUser);
    await expect(conversationRow(adminPage, unansweredUser)).not.toContainText('belum dibaca');
    await adminPage.getByRole('button', { name: 'Kembali (Back)' }).click();
    await expect(conversationRow(adminPage, unansweredUser)).toBeVisible();

    await chooseFilter(adminPage, 'Belum dibaca');
    await expect(conversationRow(adminPage, unansweredUser)).toHaveCount(0);
    await sendMessageByApi(testServer, unansweredUser, admin, 'Halo lagi');
    await expect(conversationRow(adminPage, unansweredUser)).toContainText('1 pesan belum dibaca');

    await chooseFilter(adminPage, 'Belum dibalas');
    await openConversation(adminPage, unansweredUser);
    await sendAsAdmin(adminPage, 'Sudah saya periksa');
    await expect(ticks(adminPage, 'Sudah saya periksa')).toHaveAttribute('data-delivery', /stored|delivered/);
    await adminPage.getByRole('button', { name: 'Kembali (Back)' }).click();
    await expect(conversationRow(adminPage, unansweredUser)).toHaveCount(0);

    await chooseFilter(adminPage, 'Semua');
    const search = conversationList(adminPage).getByRole('searchbox', { name: 'Cari nama atau email' });
    await search.fill('yuni terj');
    await expect(conversationRow(adminPage, unansweredUser)).toHaveCount(0);
    await expect(conversationRow(adminPage, answeredUser)).toBeVisible();
    await search.fill(userWithoutMessages.email);
    // Users without messages come last, perhaps far below.
    await expect(conversationRow(adminPage, userWithoutMessages)).toContainText('Belum ada pesan');
    await expect(conversationRow(adminPage, answeredUser)).toHaveCount(0);
    await search.fill('tidak ada yang bernama begini');
    await expect(adminPage.getByText('Tidak ada yang cocok')).toBeVisible();
    await search.press('Escape');
    await expect(conversationRow(adminPage, unansweredUser)).toBeVisible();
  });

  test('counts new messages while an admin reads older ones', async ({
    testServer,
    registerUser,
    admin,
    openInNewContext,
  }) => {
    const user = await registerUser('Hendra Gunawan');
    for (let number = 1; number <= 40; number += 1)
      await sendMessageByApi(testServer, user, admin, `Baris nomor ${number};`);
    const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
    await expect(messageTexts(adminPage)).toHaveCount(40);
    await expect(bubble(adminPage, 'Baris nomor 40;')).toBeInViewport();
    const scrollDownButton = adminPage.getByRole('button', { name: /^Ke bawah/ });
    await expect(scrollDownButton).toHaveCount(0);

    const log = adminPage.getByRole('log');
    // The wheel rolls out over a moment; only a listener added before the wheel turns gets its end.
    const scrollEnd = await log.evaluateHandle((box) => ({
      out: new Promise((resolve) => box.addEventListener('scrollend', resolve, { once: true })),
    }));
    await log.hover();
    await adminPage.mouse.wheel(0, -900);
    await scrollEnd.evaluate(({ out }) => out.then(() => true));
    await expect(scrollDownButton).toHaveAccessibleName('Ke bawah');
    await expect(bubble(adminPage, 'Baris nomor 40;')).not.toBeInViewport();
    const position = () => log.evaluate((box) => box.scrollTop);
    const before = await position();
    await sendMessageByApi(testServer, user, admin, 'Baru satu');
    await sendMessageByApi(testServer, user, admin, 'Baru dua');
    await expect(scrollDownButton).toHaveAccessibleName('Ke bawah, 2 pesan baru');
    await expect(scrollDownButton).toHaveText('Ke bawah (2)');
    expect(await position()).toBe(before);
    await scrollDownButton.click();
    await expect(bubble(adminPage, 'Baru dua')).toBeInViewport();
    await expect(scrollDownButton).toHaveCount(0);
  });

  test('deletes a history for both sides after asking', async ({
    testServer,
    registerUser,
    admin,
    openInNewContext,
    openPhoneChat,
  }) => {
    const user = await registerUser('Lestari Ningsih');
    await sendMessageByApi(testServer, user, admin, 'Hapus saya');
    const phone = await openPhoneChat(user);
    const adminPage = await openInNewContext(admin, `/admin/chat?user=${user.id}`);
    await expect(messageTexts(adminPage)).toHaveText(['Hapus saya']);
    await expect(messageTexts(phone)).toHaveText(['Hapus saya']);
    const clickDelete = async (): Promise<void> => {
      await adminPage.getByRole('button', { name: 'Tindakan lain' }).click();
      await adminPage.getByRole('menuitem', { name: 'Hapus riwayat chat' }).click();
    };
    const question = adminPage.getByRole('dialog', { name: 'Hapus Chat dengan Lestari Ningsih' });
    await clickDelete();
    await expect(question.getByText(DELETE_TEXT, { exact: true })).toBeVisible();
    await question.getByRole('button', { name: 'Batal' }).click();
    await expect(question).toBeHidden();
    await expect(messageTexts(phone)).toHaveText(['Hapus saya']);
    await clickDelete();
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(adminPage.getByText('Tidak ada pesan', { exact: true })).toBeVisible();
    await expect(adminPage.getByText('Mulai percakapan dengan user ini')).toBeVisible();
    await expect(panel(phone).getByText('Mulai percakapan dengan admin')).toBeVisible();
    await expect(messageTexts(phone)).toHaveCount(0);
    await expect(conversationRow(adminPage, user)).toContainText('Belum ada pesan');
    await sendAsUser(phone, 'Mulai lagi');
    await expect(messageTexts(adminPage)).toHaveText(['Mulai lagi']);
  });
});

test('drafts survive a reload, one for each conversation', async ({
  registerUser,
  admin,
  openInNewContext,
  openPhoneChat,
}) => {
  const [user, otherUser] = [await registerUser('Indah Permata'), await registerUser('Sari Melati')];
  const phone = await openPhoneChat(user);
  await userMessageField(phone).fill('Belum selesai');
  const adminPage = await openInNewContext(admin, '/admin/chat');
  await openConversation(adminPage, user);
  await adminMessageField(adminPage).fill('Untuk Indah');
  await openConversation(adminPage, otherUser);
  await expect(adminMessageField(adminPage)).toHaveValue('');
  await expect(conversationRow(adminPage, user)).toContainText('Draf: Untuk Indah');
  await adminMessageField(adminPage).fill('Untuk Sari');
  await Promise.all([phone.reload(), adminPage.reload()]);
  await openWidget(phone);
  await expect(userMessageField(phone)).toHaveValue('Belum selesai');
  await expect(adminMessageField(adminPage)).toHaveValue('Untuk Sari');
  await openConversation(adminPage, user);
  await expect(adminMessageField(adminPage)).toHaveValue('Untuk Indah');
  await expect(messageTexts(phone)).toHaveCount(0);
});
