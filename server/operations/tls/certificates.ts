import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject, type X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints as NameConstraintsExtension,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { DAY_MS } from '#shared/durations.ts';
import { isNarrowHost, type NameConstraints, type ServerNames, type Subnet } from './host-names.ts';

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
/** RFC 4519: the attributes of a name. */
const [COMMON_NAME, ORGANIZATION_NAME] = ['2.5.4.3', '2.5.4.10'];
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/**
 * A host that never exists (RFC 2606). A form of names without constraints is permitted whole; with only this host
 * permitted, no address of that form is.
 */
const NO_HOST = 'invalid';

/** Whether this is the common name of a local authority. */
export const isAuthorityName = (commonName: string): boolean => commonName.startsWith(NAME_PREFIX);

function distinguishedName(commonName: string): Name {
  const attribute = (type: string, text: string): RelativeDistinguishedName =>
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) }),
    ]);
  return new Name([attribute(ORGANIZATION_NAME, ORGANIZATION), attribute(COMMON_NAME, commonName)]);
}

const extension = (extnID: string, value: unknown, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });

/** With it on the authority, its certificates count for servers only, not for e-mail or programs (RFC 5280 4.2.1.12). */
const serverAuthExtension = (): Extension => extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth]));

/** RFC 5280 4.2.1.2, method 1: the SHA-1 of the public key's point. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-P256_POINT_BYTES);
  return createHash('sha1').update(point).digest();
}

function nameConstraintsExtension({ hosts, networks }: NameConstraints): Extension {
  const permitted = [
    ...hosts.map((dNSName) => new GeneralName({ dNSName })),
    ...networks.map((network) => new GeneralName({ iPAddress: network.join('/') })),
    new GeneralName({ rfc822Name: NO_HOST }),
    new GeneralName({ uniformResourceIdentifier: NO_HOST }),
  ];
  const permittedSubtrees = new GeneralSubtrees(permitted.map((base) => new GeneralSubtree({ base })));
  return extension(id_ce_nameConstraints, new NameConstraintsExtension({ permittedSubtrees }), true);
}

/** Reads the permitted names of a local authority. @throws when they cannot be read */
function readPermittedNames(certificateDer: Buffer): GeneralName[] {
  const { extensions = [] } = AsnConvert.parse(certificateDer, Certificate).tbsCertificate;
  const found = extensions.find(({ extnID }) => extnID === id_ce_nameConstraints);
  if (!found) return [];
  const { permittedSubtrees = [] } = AsnConvert.parse(found.extnValue, NameConstraintsExtension);
  return permittedSubtrees.map(({ base }) => base);
}

/** Reads the name constraints of a local authority. @throws when they cannot be read */
export function readNameConstraints(certificateDer: Buffer): NameConstraints {
  const names = readPermittedNames(certificateDer);
  return {
    hosts: names.flatMap(({ dNSName = [] }) => dNSName),
    networks: names.flatMap(({ iPAddress }) => (iPAddress === undefined ? [] : [parseSubnet(iPAddress)])),
  };
}

function parseSubnet(text: string): Subnet {
  const [start = '', bits] = text.split('/');
  return [start, Number(bits)];
}

/**
 * Whether devices that trust this authority believe it more than servers of the local network, as all of version 1.0.0:
 * e-mail, programs, or a computer name that is also a top-level domain.
 */
export function isWiderThanNeeded(authority: X509Certificate): boolean {
  const hasEmailLimit = readPermittedNames(authority.raw).some(({ rfc822Name }) => rfc822Name !== undefined);
  const hasWideHost = readNameConstraints(authority.raw).hosts.some((host) => !isNarrowHost(host));
  return !hasEmailLimit || hasWideHost || authority.keyUsage?.join() !== id_kp_serverAuth;
}

type CertificateFields = {
  issuer: Name;
  subject: Name;
  publicKey: KeyObject;
  fromMs: number;
  untilMs: number;
  extensions: Extension[];
};

/** A copy, because the library encodes the whole buffer below a view. */
const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

function encodeCertificate(fields: CertificateFields, signWith: KeyObject): string {
  const serial = randomBytes(16);
  // The first byte makes the serial number positive and its length constant.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const spki = fields.publicKey.export({ type: 'spki', format: 'der' });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: toArrayBuffer(serial),
    signature: algorithm,
    issuer: fields.issuer,
    validity: new Validity({ notBefore: new Date(fields.fromMs), notAfter: new Date(fields.untilMs) }),
    subject: fields.subject,
    subjectPublicKeyInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
    extensions: new Extensions(fields.extensions),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signWith);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: toArrayBuffer(signature),
  });
  const lines =
    Buffer.from(AsnConvert.serialize(certificate))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
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
        extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
        extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
        extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(publicKey))),
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
  const alternativeNames = [
    ...hosts.map((dNSName) => new GeneralName({ dNSName })),
    ...addresses.map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  const authorityKey = new KeyIdentifier(keyIdentifier(signer.publicKey));
  const cert = encodeCertificate(
    {
      issuer: distinguishedName(signer.name),
      subject: distinguishedName(hosts.at(-1)?.slice(0, COMMON_NAME_MAX) ?? 'localhost'),
      publicKey,
      fromMs: nowMs - DAY_MS,
      untilMs: Math.min(nowMs + (SERVER_DAYS - 1) * DAY_MS, signer.notAfterMs),
      extensions: [
        extension(id_ce_basicConstraints, new BasicConstraints(), true),
        extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
        serverAuthExtension(),
        extension(id_ce_subjectAltName, new SubjectAlternativeName(alternativeNames)),
        extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(publicKey))),
        extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: authorityKey })),
      ],
    },
    signer.key,
  );
  return { key: exportPem(privateKey), cert };
}
