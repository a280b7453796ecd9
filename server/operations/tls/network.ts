import { lanAddresses } from '#server/http/listen/lan-addresses.ts';
import type { CertificateSource } from './certificate-source.ts';

/** Where the office can reach this server. */
export type Network = {
  /** As in `http://192.168.1.10:3000`, the likeliest first; empty when only this computer can reach it. */
  addresses: string[];
  /** The same over https, as far as its certificate is good for them; empty while it is off. */
  secureAddresses: string[];
  /** Whether devices have to be told to trust this server; its trust page is at `/percaya`. */
  hasLocalAuthority: boolean;
};

type ListenOptions = {
  host: string;
  port: number;
  securePort: number;
  /** null: there is no https. */
  certificates: CertificateSource | null;
};

/** Asks the computer for its addresses anew: they change with the network. */
export function describeNetwork({ host, port, securePort, certificates }: ListenOptions): Network {
  return {
    addresses: lanAddresses(host, port),
    secureAddresses: certificates ? secureAddresses(host, securePort, certificates) : [],
    hasLocalAuthority: Boolean(certificates?.authority),
  };
}

function secureAddresses(host: string, port: number, certificates: CertificateSource): string[] {
  const names = certificates.names();
  if (names !== null) return names.map((name) => new URL(`https://${name}:${port}`).origin);
  return lanAddresses(host, port, 'https').filter((url) =>
    certificates.isValidFor(new URL(url).hostname.replaceAll(/[[\]]/g, '')),
  );
}
