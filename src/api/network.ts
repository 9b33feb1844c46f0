/** The way to a service: proxies and certificate authorities. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NetworkOptions } from '../client/agents.ts';
import type { ProxySettings } from '../exchange/wire/proxy.ts';
import { UsageError } from '../usage-error.ts';
import { flagName, type NamedOptions } from './option-names.ts';

/** The values of flags, of options or of the configuration. */
export interface NetworkValues extends NamedOptions {
  readonly proxy?: string | undefined;
  readonly ca?: string | undefined;
}

/** Settings for requests to a service; servers that mdwi starts itself are reached without them. */
export interface Network extends Pick<NetworkOptions, 'proxy' | 'ca'> {
  /** Credentials in the addresses of the proxies. */
  readonly secrets: readonly string[];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads the address of a proxy; without a scheme it is `http://`. */
function proxyAddress(given: string, origin: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && !isDecodable(url.username + url.password))
    throw new UsageError(`${origin}: the name or password of the proxy has a wrong % sequence: write %25 for %`);
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return url;
  throw new UsageError(`${origin}: the address of an HTTP proxy is needed, e.g. http://proxy.example:3128`);
}

/**
 * The proxies: that of `--proxy` or the configuration for every request, otherwise those of HTTP_PROXY and HTTPS_PROXY, in
 * either case of letters, except for the hosts of NO_PROXY.
 */
function proxiesOf(
  { proxy: given, nameOf = flagName }: NetworkValues,
  env: NodeJS.ProcessEnv,
): { proxy?: ProxySettings; addresses: URL[] } {
  const fromEnv = (name: string): URL | undefined => {
    const value = env[name.toLowerCase()] || env[name];
    return value ? proxyAddress(value, name) : undefined;
  };
  const [http, https] =
    given === undefined
      ? [fromEnv('HTTP_PROXY'), fromEnv('HTTPS_PROXY')]
      : [proxyAddress(given, nameOf('proxy')), proxyAddress(given, nameOf('proxy'))];
  if (!http && !https) return { addresses: [] };
  const noProxy = given === undefined ? (env.no_proxy ?? env.NO_PROXY ?? '') : '';
  return {
    proxy: { ...(http && { http: http.href }), ...(https && { https: https.href }), noProxy },
    addresses: [http, https].filter((each) => each !== undefined),
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Reads and checks a file of certificate authorities. */
function readAuthorities(file: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${name}: ${file} cannot be read (${(error as Error).message})`);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw new UsageError(
      `${name} ${file}: there is no certificate in PEM form (-----BEGIN CERTIFICATE-----); openssl x509 -inform der -in FILE -out FILE.pem converts a binary one`,
    );
  for (const [at, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw new UsageError(`${name} ${file}: certificate ${at + 1} is damaged (${(error as Error).message})`);
    }
  }
  return certificates.join('\n');
}

/**
 * Reads and checks the settings for requests to a service. Throws UsageError.
 * @example networkOf({ proxy: 'http://proxy.example:3128' }).proxy?.https // 'http://proxy.example:3128/'
 */
export function networkOf(values: NetworkValues, env: NodeJS.ProcessEnv = process.env): Network {
  const { ca, nameOf = flagName } = values;
  const { proxy, addresses } = proxiesOf(values, env);
  const credentials = addresses.flatMap(({ username, password }) => [username, password].filter((each) => each !== ''));
  return {
    ...(proxy && { proxy }),
    ...(ca !== undefined && { ca: readAuthorities(ca, nameOf('ca')) }),
    secrets: credentials.flatMap((each) => [each, decodeURIComponent(each)]),
  };
}

/** The same settings, but a server that mdwi itself started is reached without a proxy. */
export function withDirectHost(network: Network, origin: string): Network {
  const { proxy } = network;
  return proxy ? { ...network, proxy: { ...proxy, noProxy: `${proxy.noProxy},${new URL(origin).host}` } } : network;
}
