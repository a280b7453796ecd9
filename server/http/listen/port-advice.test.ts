import { expect, it } from 'vitest';
import { adviseOnPort } from './port-advice.ts';
import { ListenError, toListenError } from './listen.ts';

it.each([
  ['linux', 'EACCES', /tanpa menjadi root \(sudo … service install; .*sudo setcap cap_net_bind_service=\+ep "\//],
  ['darwin', 'EACCES', /HOST=0\.0\.0\.0 .*sudo … service install$/],
  ['win32', 'EACCES', /IIS: sebagai administrator, net stop http, .*excludedportrange/],
  ['linux', 'EADDRINUSE', /^program itu terlihat dengan: sudo ss -ltnp "sport = :80"$/],
  ['darwin', 'EADDRINUSE', /sudo lsof -nP -iTCP:80 -sTCP:LISTEN$/],
  ['win32', 'EADDRINUSE', /netstat -ano \| findstr :80$/],
] as const)('says on %s what to do about %s on port 80', (platform, code, words) => {
  expect(adviseOnPort(code, 80, platform)).toMatch(words);
});

it('gives no advice for ports that everybody may open, nor for other errors', () => {
  for (const port of [0, 1024, 3000]) expect(adviseOnPort('EACCES', port, 'linux')).toBeNull();
  expect(adviseOnPort('EADDRNOTAVAIL', 80, 'linux')).toBeNull();
  expect(adviseOnPort('EACCES', 80, 'aix')).toBeNull();
});

it('stands in the one line of the error', () => {
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  const error = toListenError(refused, 'TLS_PORT', { host: '0.0.0.0', port: 443 });
  expect(error).toBeInstanceOf(ListenError);
  expect(String(error)).toMatch(
    /^Error: TLS_PORT: 443 tidak boleh dipakai pengguna ini; yang diterima: porta 1024 sampai 65535; untuk porta 443: .+$/,
  );
});
