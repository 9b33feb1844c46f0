/** The hosts a local server accepts: protects against DNS rebinding, where a foreign page’s host name resolves to loopback. */
import { hostname, networkInterfaces } from 'node:os';

/** A host name or address, with or without a port: `build.example`, `10.0.0.7:9000`, `[::1]:9000`. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Whether a text is a valid value of `--allow-host`: one host, no pattern, no URL. */
export const isHost = (text: string): boolean => HOST.test(text);

/** Names and addresses of the loopback interface. */
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address to listen on means all addresses of the machine. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The names by which clients address a server that listens on this address. */
export function machineHosts(host: string): readonly string[] {
  const addresses = isWildcard(host)
    ? Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
    : [host];
  return [hostname(), ...addresses.map((each) => (each.includes(':') ? `[${each}]` : each))];
}

/** The default ports of HTTP and HTTPS, which a Host header omits. */
const DEFAULT_PORTS: readonly number[] = [80, 443];

/**
 * Returns a function that accepts or rejects the value of a Host header or the authority of an absolute-form target.
 * @param port the server’s port: loopback names are accepted with it only
 * @param allowed further hosts; one without a port is accepted with any
 * @example hostFilter(9000, ['ci.example'])('CI.example:1234') // true
 */
export function hostFilter(port: number, allowed: readonly string[] = []): (authority: string) => boolean {
  const known = new Set(allowed.map((each) => each.toLowerCase()));
  for (const host of LOOPBACK_HOSTS) {
    known.add(`${host}:${port}`);
    if (DEFAULT_PORTS.includes(port)) known.add(host);
  }
  return (authority) => {
    if (known.has(authority)) return true;
    const lower = authority.toLowerCase();
    return known.has(lower) || (isHost(lower) && known.has(lower.replace(/:\d+$/, '')));
  };
}
