/** Names and addresses of hosts. */
/** A host name or address, with or without a port; `*.` matches one or more labels. */
export const HOST_PATTERN = /^(?:\*\.)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
export const HOST_RULE = 'must be a host name or address, e.g. staging.example or *.test.example:8443';

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|(?:.+\.)?localhost\.?)$/i;

/** Whether a host name or address is the loopback interface. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Whether a pattern names the host of an address: a host with or without a port, or `*.DOMAIN`.
 * @example namesHost('*.example', new URL('https://api.example')) // true
 */
export function namesHost(pattern: string, { hostname, host, port, protocol }: URL): boolean {
  const allowed = pattern.toLowerCase();
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  const candidates = [hostname, withPort];
  return allowed.startsWith('*.')
    ? candidates.some((each) => each.endsWith(allowed.slice(1)))
    : candidates.includes(allowed);
}
