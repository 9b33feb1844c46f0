/** The notations of the time in a signed request. */

interface TimestampFormat {
  readonly means: string;
  /** @param ms since 1970 */
  write(ms: number): string;
  /** Returns ms since 1970; NaN if the text has another notation. */
  read(text: string): number;
}

const digits = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

/** The formats of `timestamp` in a profile. */
export const TIMESTAMP_FORMATS = {
  seconds: {
    means: 'seconds since 1970',
    write: (ms) => String(Math.floor(ms / 1000)),
    read: (text) => digits(text) * 1000,
  },
  milliseconds: { means: 'milliseconds since 1970', write: (ms) => String(ms), read: digits },
  iso8601: {
    means: 'the UTC time, such as 2026-11-22T16:35:39Z',
    write: (ms) => new Date(ms).toISOString().replace(/\.\d+/, ''),
    read: (text) => (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN),
  },
  httpDate: {
    means: 'the date of HTTP, such as Sun, 22 Nov 2026 16:35:39 GMT',
    write: (ms) => new Date(ms).toUTCString(),
    read: (text) => (/^\w{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN),
  },
} as const satisfies Record<string, TimestampFormat>;

export type TimestampName = keyof typeof TIMESTAMP_FORMATS;
