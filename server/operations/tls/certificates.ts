import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import {
  bitString,
  constructed,
  inside,
  integer,
  isTrue,
  octetString,
  oid,
  primitive,
  sequence,
  set,
  time,
  utf8,
} from './der.ts';
import { addressBytes, addressText, maskBytes, type Names, type Scope, type Subnet } from './names.ts';

/** Makes certificates (RFC 5280): an authority of this office, and what the server shows under it. */

export type KeyAndCertificate = { key: string; cert: string };
/** Who signs: the names that stand in its own certificate, and its key. */
export type Signer = { name: string; key: KeyObject; publicKey: KeyObject; notAfterMs: number };

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** What Apple's devices accept of a certificate; a day of it lies before now, for clocks that are late. */
const SERVER_DAYS = 397;
const P256_POINT_BYTES = 65;

const ORGANIZATION = 'PBB Kita';
const NAME_PREFIX = `${ORGANIZATION} – `;
/** X.520's bound for a common name. */
const COMMON_NAME_MAX = 64;

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

/** Whether this is what we call an authority. */
export const isOurName = (commonName: string): boolean => commonName.startsWith(NAME_PREFIX);

function distinguishedName(commonName: string): Buffer {
  const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8(value)));
  return sequence(attribute('2.5.4.10', ORGANIZATION), attribute('2.5.4.3', commonName));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [isTrue()] : []), octetString(value));
}

/** RFC 5280 4.2.1.2, method 1: the hash of the point alone. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-P256_POINT_BYTES);
  return createHash('sha1').update(point).digest();
}

const hostName = (name: string): Buffer => primitive(2, Buffer.from(name));
const ipAddress = (bytes: Uint8Array): Buffer => primitive(7, bytes);
const [HOST_TAG, ADDRESS_TAG, EXTENSIONS_TAG] = [0x82, 0x87, 0xa3];

const NAME_CONSTRAINTS = '2.5.29.30';

function nameConstraints({ hosts, networks }: Scope): Buffer {
  const ranges = networks.map(([start, bits]) => {
    const bytes = addressBytes(start);
    const mask = maskBytes(bits, bytes.length);
    // A range's own address has no bits beyond its mask.
    return ipAddress(Buffer.concat([bytes.map((byte, index) => byte & (mask[index] ?? 0)), mask]));
  });
  const permitted = hosts.map(hostName).concat(ranges);
  return extension(NAME_CONSTRAINTS, sequence(constructed(0, ...permitted.map((name) => sequence(name)))), true);
}

/** What an authority of ours may vouch for, as its own certificate has it. @throws RangeError when that is not readable */
export function readScope(certificateDer: Buffer): Scope {
  const [whole] = inside({ content: certificateDer });
  const [body] = inside(whole);
  const [list] = inside(inside(body).find(({ tag }) => tag === EXTENSIONS_TAG));
  const [id] = inside({ content: oid(NAME_CONSTRAINTS) });
  const found = inside(list).find((one) => id && inside(one)[0]?.content.equals(id.content));
  const [constraints] = inside(inside(found).at(-1));
  const [permitted] = inside(constraints);
  const names = inside(permitted).flatMap(inside);
  return {
    hosts: names.filter(({ tag }) => tag === HOST_TAG).map(({ content }) => content.toString('latin1')),
    networks: names.filter(({ tag }) => tag === ADDRESS_TAG).map(({ content }) => subnetOf(content)),
  };
}

/** An address followed by its mask. */
function subnetOf(bytes: Buffer): Subnet {
  const [start, mask] = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
  const ones = [...mask].map((byte) => byte.toString(2).replaceAll('0', '').length);
  return [addressText(start), ones.reduce((sum, count) => sum + count, 0)];
}

type Content = {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  fromMs: number;
  untilMs: number;
  extensions: Buffer[];
};

function certificate(content: Content, signWith: KeyObject): string {
  const serial = randomBytes(16);
  // Positive and never shorter.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const body = sequence(
    constructed(0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    content.issuer,
    sequence(time(content.fromMs), time(content.untilMs)),
    content.subject,
    content.publicKey.export({ type: 'spki', format: 'der' }),
    constructed(3, sequence(...content.extensions)),
  );
  const whole = sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, signWith)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An authority for the computer of this name: ten years, for servers directly below it and nothing else. */
export function makeAuthority(hostname: string, scope: Scope, nowMs: number): KeyAndCertificate {
  const { privateKey, publicKey } = newKeys();
  const name = distinguishedName(
    Array.from(NAME_PREFIX + hostname)
      .slice(0, COMMON_NAME_MAX)
      .join(''),
  );
  const cert = certificate(
    {
      issuer: name,
      subject: name,
      publicKey,
      fromMs: nowMs - DAY_MS,
      untilMs: nowMs + AUTHORITY_DAYS * DAY_MS,
      extensions: [
        extension('2.5.29.19', sequence(isTrue(), integer(Buffer.from([0]))), true),
        // keyCertSign and cRLSign.
        extension('2.5.29.15', bitString(Buffer.from([0x06]), 1), true),
        extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
        nameConstraints(scope),
      ],
    },
    privateKey,
  );
  return { key: pemOf(privateKey), cert };
}

/**
 * What the server shows: good for as long as devices accept, never longer than its authority.
 * @param names inside the signer's scope: one name beyond it, and devices refuse all of them
 */
export function issueCertificate(signer: Signer, { hosts, addresses }: Names, nowMs: number): KeyAndCertificate {
  const { privateKey, publicKey } = newKeys();
  const authorityKey = keyIdentifier(signer.publicKey);
  const alternativeNames = [...hosts.map(hostName), ...addresses.map((address) => ipAddress(addressBytes(address)))];
  const cert = certificate(
    {
      issuer: distinguishedName(signer.name),
      subject: distinguishedName(hosts.at(-1)?.slice(0, COMMON_NAME_MAX) ?? 'localhost'),
      publicKey,
      fromMs: nowMs - DAY_MS,
      untilMs: Math.min(nowMs + (SERVER_DAYS - 1) * DAY_MS, signer.notAfterMs),
      extensions: [
        extension('2.5.29.19', sequence(), true),
        // digitalSignature.
        extension('2.5.29.15', bitString(Buffer.from([0x80]), 7), true),
        // serverAuth.
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', sequence(...alternativeNames)),
        extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
        extension('2.5.29.35', sequence(primitive(0, authorityKey))),
      ],
    },
    signer.key,
  );
  return { key: pemOf(privateKey), cert };
}
