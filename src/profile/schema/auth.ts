/** Authentication of requests, an opening of section 5. */
import { z } from 'zod';
import { TIMESTAMP_FORMATS, type TimestampName } from '../hmac/timestamps.ts';

const templates = z.record(z.string(), z.string());

export const authScheme = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('none') }),
  z.strictObject({ scheme: z.literal('apiKey'), in: z.enum(['header', 'query']), name: z.string(), value: z.string() }),
  z.strictObject({ scheme: z.literal('basic'), username: z.string(), password: z.string() }),
  z.strictObject({ scheme: z.literal('bearer'), token: z.string() }),
  z.strictObject({ scheme: z.literal('headers'), headers: z.record(z.string(), z.string()) }),
  z.strictObject({
    scheme: z.literal('oauth2'),
    tokenUrl: z.string().describe('URL of the token endpoint for the client credentials grant.'),
    clientId: z.string(),
    clientSecret: z.string(),
    scope: z.string().optional(),
    credentialsIn: z.enum(['header', 'body']).default('header'),
  }),
  z.strictObject({
    scheme: z.literal('hmac'),
    algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']),
    key: z.string().describe('The secret key.'),
    keyEncoding: z.enum(['utf8', 'hex', 'base64']).default('utf8').describe('How `key` writes the bytes of the key.'),
    message: z.string().describe('What the signature covers, e.g. "{method}\\n{target}\\n{timestamp}".'),
    encoding: z.enum(['hex', 'base64', 'base64url']).describe('How {signature} is written.'),
    timestamp: z
      .enum(Object.keys(TIMESTAMP_FORMATS) as [TimestampName, ...TimestampName[]])
      .default('seconds')
      .describe('How {timestamp} is written.'),
    headers: templates.optional().describe('Headers with {signature}, {timestamp} and other variables.'),
    query: templates.optional().describe('Query parameters with {signature}, {timestamp} and other variables.'),
  }),
  z.strictObject({
    scheme: z.literal('mtls'),
    cert: z.string().describe('The file of the client certificate (PEM).'),
    key: z.string().describe('The file of its key (PEM).'),
    ca: z.string().optional(),
    passphrase: z.string().optional(),
  }),
]);

export type AuthScheme = z.output<typeof authScheme>;
