/** Which hosts a local server answers for: a page elsewhere whose name was rebound to loopback sends its own name. */

/** A host name or address, with a port or without: `build.example`, `10.0.0.7:9000`, `[::1]:9000`. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Whether `--allow-host` can take it: one host, no pattern, no address with a scheme. */
export const isHost = (text: string): boolean => HOST.test(text);

/** Names and addresses of the loopback interface. */
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** The port that a Host header leaves out. */
const HTTP_PORT = 80;

/**
 * Decides about the values of Host headers and the authorities of absolute-form targets.
 * @param port listened on: loopback names count with it only
 * @param allowed further hosts; one without a port counts with any
 * @example hostFilter(9000, ['ci.example'])('CI.example:1234') // true
 */
export function hostFilter(port: number, allowed: readonly string[] = []): (authority: string) => boolean {
  const known = new Set(allowed.map((each) => each.toLowerCase()));
  for (const host of LOOPBACK_HOSTS) {
    known.add(`${host}:${port}`);
    if (port === HTTP_PORT) known.add(host);
  }
  return (authority) => {
    if (known.has(authority)) return true;
    const lower = authority.toLowerCase();
    return known.has(lower) || (isHost(lower) && known.has(lower.replace(/:\d+$/, '')));
  };
}
