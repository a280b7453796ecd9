import { Resolver } from 'node:dns/promises';

/** @returns the addresses of a name; none when it has none, or when no name server answers */
export type ResolveName = (name: string) => Promise<string[]>;

/**
 * Asks the name servers itself. `dns.lookup` would hold one of the four threads that also hash passwords and read files, for many
 * seconds when there is no internet.
 * @param timeoutMs how long it waits for an answer
 */
export function createResolveName(timeoutMs: number): ResolveName {
  return async (name) => {
    // A new one knows the name servers of the network in which this computer is now.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
