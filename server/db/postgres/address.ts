/** The place of a database of PostgreSQL, as `DATABASE_URL` names it. */
export type PostgresAddress = {
  /** In the order of the setting; the one that takes writes is found by asking. */
  hosts: { host: string; port: number }[];
  user: string;
  password: string;
  database: string;
  /** `require`: encrypted. `verify-full`: also by a certificate that this computer trusts. */
  ssl: 'disable' | 'require' | 'verify-full';
};

const PORT_DEFAULT = 5432;
const PORT_MAX = 65_535;
/** User and password up to the last `@`; an address of IPv6 in brackets. */
const URL_FORM = /^postgres(?:ql)?:\/\/(?:([^/@]*)@)?([^/?@]+)\/([^/?]+)(?:\?(.*))?$/;

function parseHost(text: string): PostgresAddress['hosts'][number] | null {
  const [, bracketed, name, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? name;
  const portNumber = port === undefined ? PORT_DEFAULT : Number(port);
  return host === undefined || portNumber === 0 || portNumber > PORT_MAX ? null : { host, port: portNumber };
}

/**
 * Reads an address as libpq writes it: one or several hosts, and signs in user and password percent-encoded.
 * @returns null for any other text
 */
export function parsePostgresUrl(text: string): PostgresAddress | null {
  const [, credentials = '', hostList = '', database = '', query = ''] = URL_FORM.exec(text) ?? [];
  const hosts = hostList.split(',').map(parseHost);
  const [user = '', ...passwordParts] = credentials.split(':');
  const options = new URLSearchParams(query);
  const ssl = options.get('sslmode') ?? 'disable';
  options.delete('sslmode');
  if (options.size > 0 || user === '' || !hosts.every((host) => host !== null)) return null;
  if (ssl !== 'disable' && ssl !== 'require' && ssl !== 'verify-full') return null;
  try {
    const [name, password, databaseName] = [user, passwordParts.join(':'), database].map(decodeURIComponent);
    return { hosts, user: name ?? '', password: password ?? '', database: databaseName ?? '', ssl };
  } catch {
    // A percent sign that begins no code.
    return null;
  }
}

/** As in `10.0.0.11:5432`. */
export const describeHost = ({ host, port }: PostgresAddress['hosts'][number]): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Without user and password, for screens and logs. */
export const describeAddress = ({ hosts, database }: PostgresAddress): string =>
  `${hosts.map(describeHost).join(',')}/${database}`;
