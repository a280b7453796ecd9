import { createECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isEndpointPublic, parseEndpoint } from './endpoint-check.ts';
import { isPublicAddress } from './public-addresses.ts';
import { parseSubscriptionKeys } from './subscription-keys.ts';

const PUBLIC = [
  'https://fcm.googleapis.com/fcm/send/abc:APA91b',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA?x=1',
  'https://web.push.apple.com:443/QGx',
  'https://wns2-par02p.notify.windows.com/w/?token=a%2bb',
  'https://8.8.8.8/kirim',
  'https://[2606:4700::6810:85e5]/kirim',
  // NAT64 of 8.8.8.8
  'https://[64:ff9b::808:808]/kirim',
];
const REFUSED = [
  '',
  'kirim',
  'https://',
  'http://fcm.googleapis.com/fcm/send/abc',
  'ws://fcm.googleapis.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  // A user, a port, a fragment.
  'https://fcm.googleapis.com@127.0.0.1/',
  'https://warga@fcm.googleapis.com/',
  'https://:rahasia@fcm.googleapis.com/',
  'https://fcm.googleapis.com:22/',
  'https://fcm.googleapis.com:8443/',
  'https://8.8.8.8:80/',
  'https://fcm.googleapis.com/a#b',
  // This computer, in every notation.
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://１２７.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https:/127.0.0.1/',
  'https:127.0.0.1',
  'https:\\\\127.0.0.1\\',
  ' https://127.0.0.1/',
  'https://\t127.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[0:0:0:0:0:ffff:8.8.8.8]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://ｌocalhost/',
  'https://pbb.localhost/',
  // The office, a provider, and what nobody owns.
  'https://10.0.0.5/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.127.255.255/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/machine/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://192.0.0.8/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  // IPv4 of this computer and of the office inside IPv6: Teredo, 6to4, NAT64.
  'https://[2001:0:7f00:1::]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:c0a8:101::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::192.168.1.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::808:808]/',
  'https://[100::1]/',
  'https://[5f00::1]/',
  // Names that never leave a network.
  'https://router/',
  'https://server.local/',
  'https://nas.lan/',
  'https://metadata.google.internal/',
  'https://a.home.arpa/',
  'https://fcm.googleapis.com./',
  `https://fcm.googleapis.com/${'a'.repeat(2000)}`,
  // Longer once it is written as it is sent.
  `https://fcm.googleapis.com/${'é'.repeat(700)}`,
];

describe('an endpoint', () => {
  it('must be https at a public address, in whatever notation it comes', () => {
    expect(PUBLIC.filter((endpoint) => parseEndpoint(endpoint, []) === null)).toEqual([]);
    expect(REFUSED.filter((endpoint) => parseEndpoint(endpoint, []) !== null)).toEqual([]);
  });

  it('takes one form, so that no one stores the one of another browser in other letters', () => {
    const forms = [
      'https://FCM.googleapis.com:443/a/../b',
      'https://fcm.googleapis.com/b',
      'https:\\\\fcm.googleapis.com/b',
    ];
    expect(new Set(forms.map((form) => parseEndpoint(form, [])?.href))).toEqual(
      new Set(['https://fcm.googleapis.com/b']),
    );
  });

  it('may be at an origin that the settings name, and only there', () => {
    const allowed = ['https://127.0.0.1:4430', 'http://push.kantor:8080'];
    for (const endpoint of ['https://127.0.0.1:4430/a', 'https://127.1:4430/a', 'http://push.kantor:8080/b'])
      expect(parseEndpoint(endpoint, allowed), endpoint).not.toBeNull();
    for (const endpoint of [
      'https://127.0.0.1:4431/a',
      'https://127.0.0.1/a',
      'http://127.0.0.1:4430/a',
      'https://push.kantor:8080/b',
      'https://127.0.0.1:4430@10.0.0.1/a',
      'https://warga@127.0.0.1:4430/a',
    ])
      expect(parseEndpoint(endpoint, allowed), endpoint).toBeNull();
  });

  it.each<[string[], boolean]>([
    [['142.250.4.95', '2404:6800:4003:c00::5f'], true],
    [[], true],
    [['127.0.0.1'], false],
    [['142.250.4.95', '10.0.0.1'], false],
    [['142.250.4.95', '::ffff:10.0.0.1'], false],
    [['::ffff:7f00:1'], false],
    [['fe80::1%eth0'], false],
    [['bukan alamat'], false],
  ])('whose name leads to %j is public: %s', async (addresses, expected) => {
    const asked: string[] = [];
    const url = new URL('https://jahat.contoh.id/a');
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      return addresses;
    };
    expect(await isEndpointPublic(url, [], resolve)).toBe(expected);
    expect(asked).toEqual(['jahat.contoh.id']);
    expect(
      await isEndpointPublic(url, ['https://jahat.contoh.id'], async () => Promise.reject(new Error('asked'))),
    ).toBe(true);
  });

  it('knows no address with a zone, and no text that is none', () => {
    for (const address of ['', 'localhost', 'fe80::1%lo', '2606:4700::1%eth0', '1.2.3', '01.2.3.4'])
      expect(isPublicAddress(address), address).toBe(false);
  });
});

describe('the keys of a subscription', () => {
  const pair = createECDH('prime256v1');
  const point = pair.generateKeys();
  const auth = Buffer.alloc(16, 7).toString('base64url');
  const keysOf = (bytes: Buffer, encoding: BufferEncoding = 'base64url') => ({
    p256dh: bytes.toString(encoding),
    auth,
  });

  it('take one form', () => {
    expect(parseSubscriptionKeys(keysOf(point))).toEqual(keysOf(point));
    expect(parseSubscriptionKeys(keysOf(point, 'base64'))).toEqual(keysOf(point));
    expect(parseSubscriptionKeys({ ...keysOf(point), auth: `${auth}==` })).toEqual(keysOf(point));
  });

  it('count as null when nothing can be encrypted for them', () => {
    const notOnCurve = Buffer.from(point);
    notOnCurve[64] = (notOnCurve[64] ?? 0) ^ 1;
    const refused = [
      keysOf(notOnCurve),
      keysOf(Buffer.alloc(65)),
      keysOf(Buffer.concat([Buffer.of(4), Buffer.alloc(64)])),
      keysOf(Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)])),
      // The same point, with compression or in the hybrid form.
      keysOf(pair.getPublicKey(null, 'compressed')),
      keysOf(pair.getPublicKey(null, 'hybrid')),
      keysOf(point.subarray(1)),
      keysOf(Buffer.concat([point, Buffer.of(0)])),
      { ...keysOf(point), p256dh: `${point.toString('base64url')} ` },
      { ...keysOf(point), p256dh: '' },
      { ...keysOf(point), auth: '' },
      { ...keysOf(point), auth: Buffer.alloc(15).toString('base64url') },
      { ...keysOf(point), auth: Buffer.alloc(17).toString('base64url') },
      { ...keysOf(point), auth: 'x'.repeat(22).replace('x', '!') },
    ];
    expect(refused.filter((keys) => parseSubscriptionKeys(keys) !== null)).toEqual([]);
  });
});
