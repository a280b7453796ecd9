import { expect, it } from 'vitest';
import { type Browser, howToAllow, whenItIsLate, whyMissing } from './push-help.ts';

const build = (userAgent: string, fields: Partial<Browser> = {}): Browser => ({
  userAgent,
  maxTouchPoints: 0,
  isInstalled: false,
  ...fields,
});
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const android = `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`;
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15';
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0 Safari/537.36`;

it.each<[string, Browser, RegExp]>([
  ['Chrome on Windows', build(windows), /^Tekan ikon di sebelah kiri alamat situs, izinkan Notifikasi/],
  ['Firefox', build('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), /tanda blokir/],
  ['Safari on a Mac', build(mac), /^Buka menu Safari/],
  ['Chrome on Android', build(android, { maxTouchPoints: 5 }), /pilih Izin, lalu izinkan Notifikasi/],
  ['the installed app on Android', build(android, { isInstalled: true }), /^Tekan lama ikon PBB Kita/],
  ['an iPhone', build(iPhone, { isInstalled: true }), /^Buka Pengaturan di iPhone/],
  ['an iPad, which says that it is a Mac', build(mac, { maxTouchPoints: 5 }), /^Buka Pengaturan di iPhone atau iPad/],
])('says how to permit notifications in %s', (_name, browser, words) => {
  expect(howToAllow(browser)).toMatch(words);
});

it.each<[string, Browser, RegExp]>([
  ['an old iPhone', build(iPhone), /iOS 16\.4/],
  ['another app on Android', build(`${android} [FB_IAB/FB4A;FBAV/400.0]`), /pilih Buka di Chrome/],
  ['another app on an iPhone', build(`${iPhone} Instagram 300.0`), /pilih Buka di Safari/],
  ['an old browser', build(windows), /Gunakan jendela biasa di Chrome/],
])('says why there are none in %s', (_name, browser, words) => {
  expect(whyMissing(browser)).toMatch(words);
});

it('says for each kind of device what holds notifications up', () => {
  expect([android, iPhone, windows].map((userAgent) => whenItIsLate(build(userAgent)))).toEqual([
    expect.stringContaining('penghemat baterai'),
    expect.stringContaining('mode Fokus'),
    expect.stringContaining('peramban harus tetap berjalan'),
  ]);
});
