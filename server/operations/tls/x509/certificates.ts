import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject, type X509Certificate } from 'node:crypto';
import {
  bitString,
  contextConstructed,
  readChildren,
  integer,
  booleanTrue,
  octetString,
  oid,
  contextPrimitive,
  sequence,
  set,
  time,
  utf8,
  type DerElement,
} from './der.ts';
import {
  addressBytes,
  addressText,
  isNarrowHost,
  maskBytes,
  type ServerNames,
  type NameConstraints,
  type Subnet,
} from './names.ts';
import { DAY_MS } from '#shared/durations.ts';

/** Issues X.509 certificates (RFC 5280): a local authority, and server certificates signed by it. */

export type KeyAndCertificate = { key: string; cert: string };
/** The issuer of a certificate: its common name, keys and end of validity. */
export type Signer = { name: string; key: KeyObject; publicKey: KeyObject; notAfterMs: number };

const AUTHORITY_DAYS = 3650;
/** The longest validity that Apple's devices accept. One day of it is in the past, for clocks that are slow. */
const SERVER_DAYS = 397;
const P256_POINT_BYTES = 65;

const ORGANIZATION = 'PBB Kita';
const NAME_PREFIX = `${ORGANIZATION} – `;
/** The upper bound of X.520 for a common name. */
const COMMON_NAME_MAX = 64;

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

/** Whether this is the common name of a local authority. */
export const isAuthorityName = (commonName: string): boolean => commonName.startsWith(NAME_PREFIX);

function distinguishedName(commonName: string): Buffer {
  const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8(value)));
  return sequence(attribute('2.5.4.10', ORGANIZATION), attribute('2.5.4.3', commonName));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [booleanTrue()] : []), octetString(value));
}

/** RFC 5280 4.2.1.2, method 1: the SHA-1 of the public key's point. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-P256_POINT_BYTES);
  return createHash('sha1').update(point).digest();
}

const emailGeneralName = (name: string): Buffer => contextPrimitive(1, Buffer.from(name));
const dnsGeneralName = (name: string): Buffer => contextPrimitive(2, Buffer.from(name));
const uriGeneralName = (name: string): Buffer => contextPrimitive(6, Buffer.from(name));
const ipGeneralName = (bytes: Uint8Array): Buffer => contextPrimitive(7, bytes);
const [EMAIL_TAG, DNS_NAME_TAG, IP_ADDRESS_TAG, EXTENSIONS_TAG] = [0x81, 0x82, 0x87, 0xa3];

const NAME_CONSTRAINTS = '2.5.29.30';
/** RFC 5280 4.2.1.12: with it on the authority, its certificates count for servers only, not for e-mail or programs. */
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const serverAuthExtension = (): Buffer => extension('2.5.29.37', sequence(oid(SERVER_AUTH)));
/**
 * A host that never exists (RFC 2606). A form of names without constraints is permitted whole; with only this host
 * permitted, no address of that form is.
 */
const NO_HOST = 'invalid';

function nameConstraintsExtension({ hosts, networks }: NameConstraints): Buffer {
  const ranges = networks.map(([start, bits]) => {
    const bytes = addressBytes(start);
    const mask = maskBytes(bits, bytes.length);
    // The network address has no bits outside its mask.
    return ipGeneralName(Buffer.concat([bytes.map((byte, index) => byte & (mask[index] ?? 0)), mask]));
  });
  const permitted = hosts.map(dnsGeneralName).concat(ranges, emailGeneralName(NO_HOST), uriGeneralName(NO_HOST));
  return extension(NAME_CONSTRAINTS, sequence(contextConstructed(0, ...permitted.map((name) => sequence(name)))), true);
}

/** Reads the permitted names of a local authority. @throws RangeError when they cannot be read */
function readPermittedNames(certificateDer: Buffer): DerElement[] {
  const [certificateElement] = readChildren({ content: certificateDer });
  const [tbsCertificate] = readChildren(certificateElement);
  const [extensions] = readChildren(readChildren(tbsCertificate).find(({ tag }) => tag === EXTENSIONS_TAG));
  const [id] = readChildren({ content: oid(NAME_CONSTRAINTS) });
  const found = readChildren(extensions).find((one) => id && readChildren(one)[0]?.content.equals(id.content));
  const [constraints] = readChildren(readChildren(found).at(-1));
  const [permitted] = readChildren(constraints);
  return readChildren(permitted).flatMap(readChildren);
}

/** Reads the name constraints of a local authority. @throws RangeError when they cannot be read */
export function readNameConstraints(certificateDer: Buffer): NameConstraints {
  const names = readPermittedNames(certificateDer);
  return {
    hosts: names.filter(({ tag }) => tag === DNS_NAME_TAG).map(({ content }) => content.toString('latin1')),
    networks: names.filter(({ tag }) => tag === IP_ADDRESS_TAG).map(({ content }) => parseSubnet(content)),
  };
}

/**
 * Whether devices that trust this authority believe it more than servers of the local network, as all of version 1.0.0:
 * e-mail, programs, or a computer name that is also a top-level domain.
 */
export function isWiderThanNeeded(authority: X509Certificate): boolean {
  const hasEmailLimit = readPermittedNames(authority.raw).some(({ tag }) => tag === EMAIL_TAG);
  const hasWideHost = readNameConstraints(authority.raw).hosts.some((host) => !isNarrowHost(host));
  return !hasEmailLimit || hasWideHost || authority.keyUsage?.join() !== SERVER_AUTH;
}

/** Decodes an address followed by its mask. */
function parseSubnet(bytes: Buffer): Subnet {
  const [start, mask] = [bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)];
  const ones = [...mask].map((byte) => byte.toString(2).replaceAll('0', '').length);
  return [addressText(start), ones.reduce((sum, count) => sum + count, 0)];
}

type CertificateFields = {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  fromMs: number;
  untilMs: number;
  extensions: Buffer[];
};

function encodeCertificate(fields: CertificateFields, signWith: KeyObject): string {
  const serial = randomBytes(16);
  // The first byte makes the serial number positive and its length constant.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const tbsCertificate = sequence(
    contextConstructed(0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    fields.issuer,
    sequence(time(fields.fromMs), time(fields.untilMs)),
    fields.subject,
    fields.publicKey.export({ type: 'spki', format: 'der' }),
    contextConstructed(3, sequence(...fields.extensions)),
  );
  const signedCertificate = sequence(
    tbsCertificate,
    ecdsaWithSha256,
    bitString(sign('sha256', tbsCertificate, signWith)),
  );
  const lines = signedCertificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const generateKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const exportPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Creates an authority for the computer of this name. It lasts ten years and can only issue server certificates. */
export function makeAuthority(hostname: string, constraints: NameConstraints, nowMs: number): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeys();
  const name = distinguishedName(
    Array.from(NAME_PREFIX + hostname)
      .slice(0, COMMON_NAME_MAX)
      .join(''),
  );
  const cert = encodeCertificate(
    {
      issuer: name,
      subject: name,
      publicKey,
      fromMs: nowMs - DAY_MS,
      untilMs: nowMs + AUTHORITY_DAYS * DAY_MS,
      extensions: [
        extension('2.5.29.19', sequence(booleanTrue(), integer(Buffer.from([0]))), true),
        // keyCertSign and cRLSign.
        extension('2.5.29.15', bitString(Buffer.from([0x06]), 1), true),
        extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
        serverAuthExtension(),
        nameConstraintsExtension(constraints),
      ],
    },
    privateKey,
  );
  return { key: exportPem(privateKey), cert };
}

/**
 * Issues a server certificate for as long as devices accept, but never longer than its authority.
 * @param names inside the constraints of the signer: with one name outside them, devices reject the certificate
 */
export function issueCertificate(signer: Signer, { hosts, addresses }: ServerNames, nowMs: number): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeys();
  const authorityKey = keyIdentifier(signer.publicKey);
  const alternativeNames = [
    ...hosts.map(dnsGeneralName),
    ...addresses.map((address) => ipGeneralName(addressBytes(address))),
  ];
  const cert = encodeCertificate(
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
        serverAuthExtension(),
        extension('2.5.29.17', sequence(...alternativeNames)),
        extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
        extension('2.5.29.35', sequence(contextPrimitive(0, authorityKey))),
      ],
    },
    signer.key,
  );
  return { key: exportPem(privateKey), cert };
}
