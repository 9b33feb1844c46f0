/** The Basic scheme (RFC 7617). */

/** The value of an Authorization header. */
export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
