/** Authentication of requests, an opening of section 5. */
import { z } from 'zod';

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
    scheme: z.literal('mtls'),
    cert: z.string().describe('The file of the client certificate (PEM).'),
    key: z.string().describe('The file of its key (PEM).'),
    ca: z.string().optional(),
    passphrase: z.string().optional(),
  }),
]);

export type AuthScheme = z.output<typeof authScheme>;
