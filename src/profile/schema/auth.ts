/** Authentication of requests, an opening of section 5. */
import { z } from 'zod';
import { TIMESTAMP_FORMATS, type TimestampName } from '../hmac/timestamps.ts';
import { optional } from './keys.ts';
import { scalarSchema } from './request.ts';
import { matchedPart, selector } from './selector.ts';

const templates = z.record(z.string(), z.string());
const values = z.record(z.string(), scalarSchema);

export const authScheme = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('none') }),
  z.strictObject({
    scheme: z.literal('apiKey'),
    in: z.enum(['header', 'query']).describe('Where requests carry the key.'),
    name: z.string().describe('The name of the header or parameter.'),
    value: z.string().describe('The key.'),
  }),
  z.strictObject({
    scheme: z.literal('basic'),
    username: z.string().describe('The user.'),
    password: z.string().describe('The password of the user.'),
  }),
  z.strictObject({ scheme: z.literal('bearer'), token: z.string().describe('The token, constant for a run.') }),
  z.strictObject({
    scheme: z.literal('headers'),
    headers: z.record(z.string(), z.string()).describe('Headers that are credentials, by name.'),
  }),
  z.strictObject({
    scheme: z.literal('oauth2'),
    tokenUrl: z.string().describe('The token endpoint: a URL, or a path below the base address, such as /oauth/token.'),
    clientId: z.string().describe('The id of the client.'),
    clientSecret: z.string().describe('The secret of the client.'),
    scope: optional(z.string(), 'The scope of the token request.'),
    grant: z
      .enum(['clientCredentials', 'password'])
      .default('clientCredentials')
      .describe('The flow; `password` also sends username and password.'),
    username: optional(z.string(), 'The user, for the grant `password`.'),
    password: optional(z.string(), 'The password, for the grant `password`.'),
    parameters: optional(templates, 'Further parameters of the token request, e.g. { audience: … }.'),
    credentialsIn: z
      .enum(['header', 'body'])
      .default('header')
      .describe('Where the token request carries id and secret.'),
  }),
  z.strictObject({
    scheme: z.literal('hmac'),
    algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']).describe('The hash of the HMAC.'),
    key: z.string().describe('The secret key.'),
    keyEncoding: z.enum(['utf8', 'hex', 'base64']).default('utf8').describe('How `key` writes the bytes of the key.'),
    message: z.string().describe('What the signature covers, e.g. "{method}\\n{target}\\n{timestamp}".'),
    encoding: z.enum(['hex', 'base64', 'base64url']).describe('How {signature} is written.'),
    timestamp: z
      .enum(Object.keys(TIMESTAMP_FORMATS) as [TimestampName, ...TimestampName[]])
      .default('seconds')
      .describe('How {timestamp} is written.'),
    headers: optional(templates, 'Headers with {signature}, {timestamp} and other variables.'),
    query: optional(templates, 'Query parameters with {signature}, {timestamp} and other variables.'),
  }),
  z.strictObject({
    scheme: z.literal('login'),
    request: z
      .strictObject({
        method: z.enum(['GET', 'POST', 'PUT']).default('POST').describe('The method of the login.'),
        url: z.string().describe('A path below the base address, such as /login, or a URL.'),
        query: optional(values, 'Query parameters of the login.'),
        headers: optional(templates, 'Headers of the login.'),
        form: optional(values, 'The body of the login as a form.'),
        json: optional(z.json(), 'The body of the login as JSON.'),
      })
      .refine(({ form, json }) => form === undefined || json === undefined, {
        message: 'a request has one body: keep one of form, json',
      })
      .describe('The request that opens a session.'),
    token: z
      .union([
        selector,
        z.strictObject({ at: selector, match: matchedPart }),
        z.strictObject({ cookie: z.string().describe('The name of a cookie that the response sets.') }),
      ])
      .describe('Where the response contains the token.'),
    in: z.enum(['header', 'query', 'cookie', 'body']).describe('Where requests carry the token.'),
    name: z.string().describe('The name of the header, parameter or cookie, or of the member of JSON and form bodies.'),
    value: z.string().default('{token}').describe('What the requests carry, e.g. "Session {token}".'),
    expiresIn: optional(z.number().positive(), 'The lifetime of a token in seconds; absent: until a 401.'),
  }),
  z.strictObject({
    scheme: z.literal('mtls'),
    cert: z.string().describe('The file of the client certificate (PEM).'),
    key: z.string().describe('The file of its key (PEM).'),
    ca: optional(z.string(), 'The file of the certificate authority of the server (PEM).'),
    passphrase: optional(z.string(), 'The passphrase of the key.'),
  }),
]);

export type AuthScheme = z.output<typeof authScheme>;
