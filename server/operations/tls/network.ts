import { lanAddresses } from '#server/http/listen/lan-addresses.ts';
import type { CertificateSource } from './certificate-source.ts';

/** The addresses at which devices in the network reach this server. */
export type Network = {
  /** As in `http://192.168.1.10:3000`, the most likely first; empty when only this computer can reach the server. */
  addresses: string[];
  /** The same over https, as far as the certificate is valid for them; empty when https is off. */
  secureAddresses: string[];
  /** Whether devices must learn to trust this server on its trust page, `/percaya`. */
  hasLocalAuthority: boolean;
};

type ListenOptions = {
  host: string;
  port: number;
  securePort: number;
  /** null: https is off. */
  certificates: CertificateSource | null;
};

/** Reads the addresses of the computer each time, because they change with the network. */
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
