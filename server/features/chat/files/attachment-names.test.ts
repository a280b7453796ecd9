import { expect, it } from 'vitest';
import { cleanFileName } from './attachment-names.ts';

it.each([
  ['bukti.jpg', 'jpg', 'bukti.jpg'],
  ['IMG_0042.JPEG', 'jpg', 'IMG_0042.JPEG'],
  ['Bukti transfer BCA 12.000.png', 'png', 'Bukti transfer BCA 12.000.png'],
  ['struk é ☕ 🧾.webp', 'webp', 'struk é ☕ 🧾.webp'],
  // The bytes decide the extension.
  ['foto.exe', 'jpg', 'foto.jpg'],
  ['laporan.pdf.scr', 'png', 'laporan.pdf.png'],
  ['tanpa akhiran', 'pdf', 'tanpa akhiran.pdf'],
  ['versi 1.2', 'pdf', 'versi 1.2.pdf'],
  ['gambar.jpg', 'pdf', 'gambar.pdf'],
  // Folders of every system.
  ['../../etc/passwd', 'png', 'passwd.png'],
  ['..\\..\\windows\\system32\\cmd.exe', 'png', 'cmd.png'],
  ['/', 'png', 'foto.png'],
  ['..', 'pdf', 'dokumen.pdf'],
  ['C:\\fakepath\\foto.png', 'png', 'foto.png'],
  ['D:foto.png', 'png', 'D_foto.png'],
  // Characters that cannot be seen, or that turn the direction: 'gpj.exe' would read as 'exe.jpg'.
  ['foto\u202egpj.exe', 'png', 'fotogpj.png'],
  ['\u2067fo\u0000to\u200b\r\n.png', 'png', 'foto.png'],
  ['a\u2028b\u2029c.png', 'png', 'abc.png'],
  ['\ud83d.png', 'png', '\ufffd.png'],
  ['  . foto . .png', 'png', 'foto.png'],
  ['<b>"kutip"|?*.gif', 'gif', '_b__kutip____.gif'],
  ['', 'jpg', 'foto.jpg'],
  ['.png', 'png', 'foto.png'],
  ['CON.jpg', 'jpg', '_CON.jpg'],
  ['aux.2026.pdf', 'pdf', '_aux.2026.pdf'],
] as const)('calls %j, which is a %s, %j', (sent, extension, name) => {
  expect(cleanFileName(sent, extension)).toBe(name);
});

it('shortens a long name by whole characters and keeps its extension', () => {
  const name = cleanFileName(`${'🧾'.repeat(300)}.png`, 'png');
  expect(name).toBe(`${'🧾'.repeat(196)}.png`);
  expect(cleanFileName(`CON.${'x'.repeat(300)}.png`, 'png').length).toBeLessThanOrEqual(200);
});
