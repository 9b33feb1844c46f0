/** The Basic scheme (RFC 7617). */
import { base64, utf8 } from '../bytes.ts';

/** The value of an Authorization header. */
export const basic = (username: string, password: string): string => `Basic ${base64(utf8(`${username}:${password}`))}`;
